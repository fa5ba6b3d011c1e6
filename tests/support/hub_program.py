"""A program that speaks the Hub protocol, and misbehaves as it is told: python tests/support/hub_program.py BEHAVIOUR.

It imports nothing of ours, so that it starts quickly and shares no mistake. The only move it knows is 11-15.
"""

import os
import sys
import time


def say(line: str) -> None:
    print(line, flush=True)


def introduce(behaviour: str) -> None:
    if behaviour == "silent":
        time.sleep(3600)
    if behaviour == "dead":
        print("cannot find my book", file=sys.stderr, flush=True)
        sys.exit(3)
    if behaviour == "chatty":
        while True:
            say("chatter")
    say('id name="A Program" version=1.5 author="Somebody Else"')
    variants = "normal killer" if behaviour == "other-variant" else "normal english"
    say(f'param name=variant value=normal type=enum values="{variants}"')
    if behaviour == "seeded":
        say("param name=seed value=0 type=int min=0 max=9")
    say("wait")


def think(behaviour: str) -> None:
    """Answer `go`."""
    if behaviour == "crash":
        os.kill(os.getpid(), 11)
    if behaviour == "leave":
        sys.exit(0)
    if behaviour == "hang":
        time.sleep(3600)
    if behaviour == "endless":
        while True:
            say('info depth=1 score=0 pv="11-15"')
    if behaviour == "garbage":
        sys.stdout.buffer.write(
            b'\xff\xfe\x00 = = "\n\'done move\n\ninfo pv=\ninfo depth=x score=y pv="1-5 nonsense"\n'
        )
        sys.stdout.buffer.flush()
    if behaviour == "refuse":
        say('error message="I do not like it"')
    elif behaviour == "illegal":
        say("done move=11-18")
    elif behaviour == "unreadable":
        say("done move=knight")
    elif behaviour == "nothing":
        say("done")
    elif behaviour == "waits":
        for line in sys.stdin:
            if line.strip() == "stop":
                break
        say("done move=11-15")
    else:
        say('info depth=4 score=-0.12 nodes=1000 time=0.02 nps=0.05 pv="11-15 22-18" extra=thing')
        say("done move=11-15 ponder=22-18")


def main() -> None:
    behaviour = sys.argv[1]
    for line in sys.stdin:
        command = line.split()[0]
        if behaviour == "prints-all":
            print(line.strip(), file=sys.stderr, flush=True)
        if command == "hub":
            introduce(behaviour)
        elif command == "init":
            say("loading")
            if behaviour == "never-ready":
                time.sleep(3600)
            say("ready")
        elif command == "go":
            think(behaviour)
        elif command == "quit" and behaviour != "stays":
            break


main()
