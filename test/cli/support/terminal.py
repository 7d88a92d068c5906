"""Runs a command on a terminal of its own and answers its questions.

    python3 terminal.py ANSWERS COMMAND...

ANSWERS is a JSON list of [pattern, answer]: each answer is typed after its pattern has appeared. An answer of null
closes the input (control-D). Prints what the terminal showed, and ends with the command's exit code.
"""
import json
import os
import pty
import select
import sys
import time

answers = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
unanswered = 0
deadline = time.monotonic() + 90
while time.monotonic() < deadline:
    ready, _, _ = select.select([terminal], [], [], 0.2)
    if not ready:
        continue
    try:
        data = os.read(terminal, 65536)
    except OSError:  # the other side is closed
        break
    if not data:
        break
    shown += data
    while answers and answers[0][0].encode() in shown[unanswered:]:
        pattern, answer = answers.pop(0)
        unanswered += shown[unanswered:].index(pattern.encode()) + len(pattern.encode())
        os.write(terminal, b"\x04" if answer is None else answer.encode() + b"\n")
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
sys.exit(98 if answers else os.WEXITSTATUS(status) if os.WIFEXITED(status) else 99)
