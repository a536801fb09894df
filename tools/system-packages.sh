#!/bin/sh
# Installs what makes learn2fix faster and safer on Debian or Ubuntu, and the browser that its tests drive. Never fails the build: each is optional.
want=""
for pair in /usr/include/libtcc.h:libtcc-dev /usr/bin/bwrap:bubblewrap /usr/bin/chromium:chromium; do
  [ -e "${pair%%:*}" ] || want="$want ${pair#*:}"
done
[ -z "$want" ] && exit 0
echo "installing$want"
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq $want >/dev/null 2>&1 && exit 0
{ apt-get update -qq && apt-get install -y -qq $want; } >/dev/null 2>&1 ||
  echo "could not install$want; learn2fix works without, see 'learn2fix doctor'" >&2
exit 0
