PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE entries (
    session  TEXT    NOT NULL,   -- id of the session; the same in every row of this file
    row      INTEGER NOT NULL,   -- 1, 2, 3, … without gaps; this is the order, never the clock
    kind     TEXT    NOT NULL,   -- session | opened | reply | undo | result
    body     TEXT    NOT NULL,   -- JSON; what it holds depends on kind
    at       TEXT    NOT NULL,   -- wall clock in UTC, for people to read
    checksum TEXT    NOT NULL,   -- over all columns before it: integrity_check misses a flipped value
    PRIMARY KEY (session, row)
);
INSERT INTO "entries" VALUES('triangle-1',1,'session','{"program": ["triangle.c"], "directory": "/", "seed": 1, "source_digest": "", "failing": [{"observation": {"input": "2 2 2", "ending": "exited", "output": "2\n", "status": 0, "detail": ""}, "answer": {"verdict": "bug", "expected": "1", "rejected": []}}], "options": {}, "tool": "0.1.0"}','2026-11-18T04:17:43+00:00','71a4bd9f6b2e6aac44a99c18977a6685');
INSERT INTO "entries" VALUES('triangle-1',2,'opened','{"pid": 9458}','2026-11-18T04:17:43+00:00','aa7ffba6240d5765cd8fc32d94d5314c');
INSERT INTO "entries" VALUES('triangle-1',3,'reply','{"question": {"number": 1, "remaining": 3, "observation": {"input": "2 1 2", "ending": "exited", "output": "2\n", "status": 0, "detail": ""}, "proposal": null, "why": "A neighbour of the failing input."}, "reply": {"verdict": "ok", "expected": null, "rejected": []}}','2026-11-18T04:17:43+00:00','c668005b5b5b7277921f14e71aae0a04');
INSERT INTO "entries" VALUES('triangle-1',4,'reply','{"question": {"number": 2, "remaining": 2, "observation": {"input": "2 2 2", "ending": "exited", "output": "2\n", "status": 0, "detail": ""}, "proposal": null, "why": "A neighbour of the failing input."}, "reply": {"verdict": "ok", "expected": null, "rejected": []}}','2026-11-18T04:17:43+00:00','f57fd0c27c4c6cca5f673a0bd687ce38');
INSERT INTO "entries" VALUES('triangle-1',5,'reply','{"question": {"number": 3, "remaining": 1, "observation": {"input": "2 3 2", "ending": "exited", "output": "2\n", "status": 0, "detail": ""}, "proposal": null, "why": "A neighbour of the failing input."}, "reply": {"verdict": "bug", "expected": null, "rejected": []}}','2026-11-18T04:17:43+00:00','24d9f0056335cd2f3e340002f381f416');
INSERT INTO "entries" VALUES('triangle-1',6,'reply','{"question": {"number": 4, "remaining": 0, "observation": {"input": "2 5 2", "ending": "exited", "output": "2\n", "status": 0, "detail": ""}, "proposal": null, "why": "A neighbour of the failing input."}, "reply": {"verdict": "ok", "expected": null, "rejected": []}}','2026-11-18T04:17:43+00:00','6109575d9d5ed8c3d0fa3aa20fc47ad4');
CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entries_are_never_deleted BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE VIEW replies AS
SELECT session, row, at,
       json_extract(body, '$.question.observation.input')  AS input,
       json_extract(body, '$.question.observation.output') AS output,
       json_extract(body, '$.reply.verdict')               AS verdict,
       json_extract(body, '$.reply.expected')              AS expected
FROM entries WHERE kind = 'reply';
COMMIT;
PRAGMA user_version = 1;
