"""A complete bot for the Drop protocol (docs/drop.md) in Python, without outplay: wins if it can, blocks, else random.

Try it: outplay match connect4 'cmd:python3 drop_bot.py' random --games 10
"""

import random
import sys


def drop(board, column, side):
    """Put a disc of side 0 or 1 on top of a column."""
    board[column].append(side)


def has_four(board, column, height):
    """Does the top disc of this column make four in a row?"""
    row, side = len(board[column]) - 1, board[column][-1]

    def same(c, r):
        return 0 <= c < len(board) and 0 <= r < len(board[c]) and board[c][r] == side

    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            step = 1
            while same(column + sign * step * right, row + sign * step * up):
                length, step = length + 1, step + 1
        if length >= 4:
            return True
    return False


def wins(board, column, side, height):
    board[column].append(side)
    found = has_four(board, column, height)
    board[column].pop()
    return found


def choose(board, side, height):
    legal = [column for column in range(len(board)) if len(board[column]) < height]
    for who in (side, 1 - side):
        for column in legal:
            if wins(board, column, who, height):
                return column
    return random.choice(legal)


def read_arguments(words):
    """Return the arguments of a line: name=value or a name alone. Our client quotes no value that we need."""
    return dict(word.partition("=")[::2] for word in words)


def set_up(arguments):
    """Return the columns from the bottom, the height, and whose move it is."""
    width, height = map(int, arguments.get("size", "7x6").split("x"))
    board = [[] for _ in range(width)]
    rows = arguments.get("rows", "").split("/") if "rows" in arguments else []
    for row in reversed(rows):  # the lowest row is written last; 1 is the side that moved first
        for column, sign in enumerate(row):
            if sign in "12":
                drop(board, column, int(sign) - 1)
    side = sum(map(len, board)) % 2
    for letter in arguments.get("moves", ""):
        drop(board, "123456789abcdefghijklmnopqrstuvwxyz".index(letter), side)
        side = 1 - side
    return board, height, side


def main():
    board, height, side = [[] for _ in range(7)], 6, 0
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "drop":
            print("id name=drop_bot.py version=1.0")
            print("param name=seed value=0 type=int min=0 max=2147483647")
            print("wait")
        elif command == "set-param":
            random.seed(read_arguments(words).get("value"))
        elif command == "init":
            print("ready")
        elif command == "pos":
            board, height, side = set_up(read_arguments(words))
        elif command == "go":
            column = choose(board, side, height)
            print(f"done move={'123456789abcdefghijklmnopqrstuvwxyz'[column]}")
        elif command == "ping":
            print("pong")
        elif command == "quit":
            break
        sys.stdout.flush()


main()
