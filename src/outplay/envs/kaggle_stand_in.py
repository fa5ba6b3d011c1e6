"""An agent for Kaggle's ConnectX in plain Python: it needs only this file. Written by outplay.

It looks DEPTH moves ahead (0: as far as its time allows), counts the rows of four that are still open, and picks among
the moves that score at most SLACK less than the best one. It takes a win and prevents a loss that it sees.
"""

DEPTH, SLACK = 0, 0


def agent(observation, configuration=None):
    """Return a column from 0."""
    import random
    import time

    def get(source, name, default):
        return source.get(name, default) if isinstance(source, dict) else getattr(source, name, default)

    rules = {} if configuration is None else configuration
    if get(rules, "inarow", 4) != 4:
        raise ValueError(f"this agent plays four in a row, not {get(rules, 'inarow', 4)}")
    width, height = get(rules, "columns", 7), get(rules, "rows", 6)
    ends = time.monotonic() + 0.6 * float(get(rules, "actTimeout", 2) or 2)
    board, mark = list(get(observation, "board", [])), get(observation, "mark", 1)
    step = height + 1  # of a column; bit 0 is the lowest cell of the first one
    directions = (1, step, step - 1, step + 1)
    order = sorted(range(width), key=lambda column: abs(2 * column - width + 1))
    full = sum(((1 << height) - 1) << column * step for column in range(width))
    win = 10_000

    own = other = 0
    for index, cell in enumerate(board):
        bit = 1 << (index % width * step + height - 1 - index // width)
        own |= bit if cell == mark else 0
        other |= bit if cell not in (0, mark) else 0

    def has_four(discs):
        for direction in directions:
            pairs = discs & discs >> direction
            if pairs & pairs >> 2 * direction:
                return True
        return False

    def open_rows(mine, empty):
        """Return two points for a row with three discs, one for a row with two, if its other cells are empty."""
        total = 0
        for direction in directions:
            cells = [(mine >> k * direction, empty >> k * direction) for k in range(4)]
            for hole in range(4):
                rows = cells[hole][1]
                for k in range(4):
                    rows &= cells[k][0] if k != hole else -1
                total += 5 * bin(rows).count("1")
        return total

    def evaluate(mine, theirs):
        empty = full & ~(mine | theirs)
        centre = ((1 << height) - 1) << width // 2 * step
        return (
            open_rows(mine, empty)
            - open_rows(theirs, empty)
            + bin(mine & centre).count("1")
            - bin(theirs & centre).count("1")
        )

    def moves(mask):
        for column in order:
            bit = (mask + (1 << column * step)) & full & (((1 << height) - 1) << column * step)
            if bit:
                yield column, bit & ~mask

    def search(mine, theirs, depth, alpha, beta):
        """Return the score for the side that owns `mine` and is to move."""
        if time.monotonic() > ends:
            raise TimeoutError
        mask = mine | theirs
        if mask == full:
            return 0
        if depth == 0:
            return evaluate(mine, theirs)
        best = -win * 2
        for _, bit in moves(mask):
            score = win + depth if has_four(mine | bit) else -search(theirs, mine | bit, depth - 1, -beta, -alpha)
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best

    def scores_at(depth):
        found = {}
        for column, bit in moves(own | other):
            if has_four(own | bit):
                found[column] = win + depth
            else:
                found[column] = -search(other, own | bit, depth - 1, -win * 2, win * 2)
        return found

    known = {column: 0 for column, _ in moves(own | other)}
    left = bin(full & ~(own | other)).count("1")
    try:
        for depth in range(1, (DEPTH or left) + 1):
            known = scores_at(depth)
            if max(known.values()) >= win or depth >= left:
                break
    except TimeoutError:
        pass
    best = max(known.values())
    near = [column for column, score in known.items() if score >= best - (0 if abs(best) >= win else SLACK)]
    return random.choice(near) if SLACK else near[0]
