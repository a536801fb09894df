"""Programs that run inside the sandbox: started by path, standard library only."""
