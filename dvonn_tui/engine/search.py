# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The board of the search, and the search. One source, compiled when there is a compiler.

This is ordinary Python; `search.pxd` beside it adds the C types with which Cython compiles it. Both
variants count, value and choose alike, so the interpreted one is the proof of the compiled one. Every
function named in `search.pxd` without `cpdef` runs without the interpreter lock when compiled.

The board: the cell in row r and column x, both from 0, is bit 11 * r + x. The six neighbours of a cell are
then 1, 11 and 12 bits away to both sides, and the bits between the rows, never set, keep single steps from
wrapping. A position is handed down by value: the stacks of the side to move (`own`), of the other side
(`opp`), those that hold red (`red`, lone red pieces included) and those of height 1 (`ones`). Only the
heights are an array, so a move is taken back by one assignment.

Values are from the view of the side to move. A finished game of margin m is worth m beyond `WON` or
`-WON`, 0 when drawn; everything between is an estimate, `ONE_LOGIT` points a unit of log-odds.
"""

from __future__ import annotations

from math import log

from dvonn_tui.engine import values

try:
    import cython
except ImportError:
    from dvonn_tui.engine import shim as cython

if not cython.compiled:
    from dvonn_tui.engine.plain_types import (
        clock,
        ctz,
        i32,
        i64,
        new_slots,
        popcount,
        prefetch,
        release_slots,
        sources_stamp,
        u64,
    )

    TARGETS = [0] * 3200
    KEYS = [0] * 16000
    REDUCTIONS = [0] * 4096
    SIDE_KEY = 0
    ONE = 1
    BOARD = 0
    RIM = 0

COMPILED: bool = cython.compiled

FEATURES = values.FEATURES
WON = values.WON
ESTIMATE_LIMIT = values.ESTIMATE_LIMIT
INFINITE = values.INFINITE
MOST_MOVES = values.MOST_MOVES

GUESS: i32 = 180736
"""What is added to the guess how good a move is, so that the worst is above 0 and the best below 2 ** 18."""


def built_from() -> int:
    """The stamp of the sources that this variant was compiled from; 0 when it is interpreted."""
    return sources_stamp


def now() -> float:
    """The seconds of the clock that `Searcher.deadline` is a reading of."""
    return clock()


def fill_tables() -> None:
    """Compute the tables of targets, keys and reductions; run once when the module is loaded."""
    global SIDE_KEY, ONE, BOARD, RIM
    ONE = 1
    row: i32
    column: i32
    height: i32
    way: i32
    cell: i32
    x: u64 = 88172645463325252
    mask: u64 = 0xFFFFFFFFFFFFFFFF
    rows = ((0, 9), (0, 10), (0, 11), (1, 11), (2, 11))
    steps = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
    BOARD = 0
    for row in range(5):
        for column in range(rows[row][0], rows[row][1]):
            BOARD |= ONE << (11 * row + column)
    RIM = BOARD & ~surrounded(BOARD)
    for row in range(5):
        for column in range(rows[row][0], rows[row][1]):
            cell = 11 * row + column
            for way in range(6):
                down: i32 = steps[way][0]
                right: i32 = steps[way][1]
                for height in range(1, 11):
                    to_row: i32 = row + down * height
                    to_column: i32 = column + right * height
                    if 0 <= to_row < 5 and rows[to_row][0] <= to_column < rows[to_row][1]:
                        TARGETS[height << 6 | cell] |= ONE << (11 * to_row + to_column)
    for cell in range(16001):
        x ^= x << 13 & mask
        x ^= x >> 7
        x ^= x << 17 & mask
        if cell < 16000:
            KEYS[cell] = x
        else:
            SIDE_KEY = x
    for row in range(64):
        for column in range(64):
            REDUCTIONS[row << 6 | column] = 0
            if row >= 2 and column >= 2:
                REDUCTIONS[row << 6 | column] = int(1 + log(row) * log(column) / 1.3)


def surrounded(occ: u64) -> u64:
    """The cells whose six neighbours are all occupied."""
    return occ & occ << 1 & occ >> 1 & occ << 11 & occ >> 11 & occ << 12 & occ >> 12


def spread(cells: u64) -> u64:
    """The cells and all their neighbours, with bits outside the board."""
    return cells | cells << 1 | cells >> 1 | cells << 11 | cells >> 11 | cells << 12 | cells >> 12


def splitting(occ: u64) -> u64:
    """The cells whose occupied neighbours form two arcs or more: leaving such a cell may split the board."""
    e: u64 = occ >> 1
    se: u64 = occ >> 12
    sw: u64 = occ >> 11
    w: u64 = occ << 1
    nw: u64 = occ << 12
    ne: u64 = occ << 11
    once: u64 = e & ~se
    end: u64 = se & ~sw
    twice: u64 = once & end
    once |= end
    end = sw & ~w
    twice |= once & end
    once |= end
    end = w & ~nw
    twice |= once & end
    once |= end
    end = nw & ~ne
    twice |= once & end
    once |= end
    end = ne & ~e
    return (twice | once & end) & occ


def flood(cells: u64, occ: u64, goal: u64) -> u64:
    """Let the cells grow inside the occupied ones.

    Returns:
        What they reach, or all occupied cells as soon as they cover the goal.
    """
    while goal & ~cells:
        right: u64 = cells | cells << 1
        left: u64 = cells | cells >> 1
        more: u64 = (right | left | right << 11 | left >> 11) & occ
        if more == cells:
            return cells
        cells = more
    return occ


def end_value(diff: i32) -> i32:
    """The value of a finished game in which the side to move has so much more height."""
    if diff > 0:
        return WON + diff
    return diff - WON if diff else 0


def goes_on(own: u64, opp: u64, red: u64, ones: u64) -> i32:
    """Whether a single can move: then the game is not over. Without one it may go on all the same."""
    return (own | opp) & ones & ~surrounded(own | opp | red) != 0


def live_after(red: u64, occ: u64, cut: u64, source: i32, target: u64) -> u64:
    """The cells that stay occupied when a stack leaves its cell for a target cell."""
    here: u64 = ONE << source
    rest: u64 = occ ^ here
    if red & here:
        return flood(red ^ here | target, rest, rest)
    if cut & here:
        return flood(red, rest, TARGETS[64 | source] & rest)
    return rest


class Table:
    """The transposition table: four pairs of words a bucket, the first the key exclusive-or the second.

    Entries of two threads that got mixed up do not match their key, so threads share it without a lock.

    A search begins with few of the buckets, which are near the processor, and doubles them as it goes on:
    most searches are short, and a large table costs them more time than it saves.
    """

    def __init__(self, bits: int, begin: int = 13) -> None:
        """Make a table of up to 2 to the power of `bits` buckets of 64 bytes, 4 to 24.

        Args:
            bits: how far it may grow.
            begin: how large it is at first, in bits as well.
        """
        bits = min(max(bits, 4), 24)
        self.slots = new_slots(8 << bits)
        self.first = (ONE << min(bits, max(begin, 0))) - 1
        self.most = (ONE << bits) - 1
        self.mask = self.first
        if not self.slots:
            raise MemoryError("no memory for the transposition table")

    def __dealloc__(self) -> None:
        release_slots(self.slots)

    def clear(self) -> None:
        """Forget everything, and be small again."""
        place: u64
        for place in range(8 * (self.mask + 1)):
            self.slots[place] = 0
        self.mask = self.first

    def grow(self) -> None:
        """Double the buckets that are used, unless all are; what was kept stays."""
        count: u64 = self.mask + 1
        place: u64
        other: u64
        if count > self.most:
            return
        for place in range(0, 8 * count, 2):
            if (self.slots[place] ^ self.slots[place + 1]) & count:
                other = 8 * count + place
                self.slots[other] = self.slots[place]
                self.slots[other + 1] = self.slots[place + 1]
                self.slots[place] = 0
                self.slots[place + 1] = 0
        self.mask = 2 * count - 1


class Searcher:
    """A board to search on, with everything that one thread needs."""

    def __init__(self, table: Table, weights: list[list[int]]) -> None:
        """Make a searcher.

        Args:
            table: where positions are remembered; several searchers may share one.
            weights: for each number of stacks on the board, 0 to 49, one weight a feature.
        """
        if not cython.compiled:
            self.h = [0] * 64
            self.moves = [0] * 20480
            self.goals = [0] * 64
            self.sources = [0] * 64
            self.history = [0] * 8192
            self.killers = [0] * 512
            self.f = [0] * FEATURES
            self.weights = [0] * 3600
            self.towers = [0] * 38400
            self.pv = [0] * 16384
            self.pv_length = [0] * 130
            self.root_moves = [0] * MOST_MOVES
            self.root_values = [0] * MOST_MOVES
            self.root_noise = [0] * MOST_MOVES
        self.table = table
        self.slots = table.slots
        self.mask = table.mask
        self.own = self.opp = self.red = self.ones = self.key = 0
        self.diff = self.side = 0
        self.nodes = 0
        self.node_limit = self.next_look = 1 << 62
        self.deadline = 0.0
        self.stopped = False
        self.age = 0
        self.patience = 0
        self.blind = 0
        self.salt = 0
        self.proof = 0
        self.foremost = 0
        self.free = self.near = self.next_near = self.cut = self.pendant = 0
        self.root_count = self.root_done = self.root_bound = self.root_proof = 0
        cell: i32
        for cell in range(64):
            self.h[cell] = 0
        for cell in range(512):
            self.killers[cell] = 0
        self.set_weights(weights)
        self.forget()

    def set_weights(self, weights: list[list[int]]) -> None:
        """Value positions by other weights."""
        stacks: i32
        feature: i32
        for stacks in range(50):
            for feature in range(FEATURES):
                self.weights[stacks * 72 + feature] = weights[stacks][feature]
            for side in range(2):
                self.set_towers(72 * stacks + 32 * side, 768 * stacks + 384 * side)

    def set_towers(self, at: i32, tall: i32) -> None:
        """Work out what towers are worth by the weights from `at` on, but for what their targets are.

        The place is 96 * kind + 8 * height + number of targets; the kind is 0 when the tower is surrounded,
        else 1, 2 beside red, 3 with red. Heights are 2 to 10: what is higher has no targets.
        """
        kind: i32
        height: i32
        count: i32
        value: i32
        for kind in range(4):
            a_target: i32 = self.weights[at + 12] if kind else self.weights[at + 15]
            movable: i32 = self.weights[at + 16] if kind else 0
            if kind > 1:
                a_target += self.weights[at + 30]
            if kind > 2:
                movable += self.weights[at + 28]
            for height in range(2, 11):
                value = self.weights[at + 22] * height
                if height < 5:
                    value += self.weights[at + 17 + height]
                self.towers[tall + 96 * kind + 8 * height] = (
                    value + self.weights[at + 17] + self.weights[at + 18] * height
                )
                for count in range(1, 7):
                    self.towers[tall + 96 * kind + 8 * height + count] = value + movable + a_target * count

    def forget(self) -> None:
        """Forget which moves were good in earlier searches."""
        place: i32
        for place in range(8192):
            self.history[place] = 1024
        for place in range(512):
            self.killers[place] = 0

    def set_position(self, white: int, black: int, red: int, heights: list[int], side: int) -> None:
        """Take over a position: three sets of cells, 64 heights, and the side to move, 0 is White.

        Lone red pieces are in `red` only.
        """
        self.own = black if side else white
        self.opp = white if side else black
        self.red = red
        self.side = side
        self.ones = 0
        cell: i32
        for cell in range(64):
            self.h[cell] = heights[cell]
            if heights[cell] == 1:
                self.ones |= ONE << cell
        self.diff = self.counted_diff(self.own, self.opp)
        self.key = self.counted_key(self.own, self.opp, self.red, self.side)
        self.root_count = self.root_done = 0

    def make(self, move: int) -> None:
        """Play a move of the position that was set, as the search does; 0 is a pass. It is not checked."""
        code: i32 = move
        source: i32 = code >> 6
        target: i32 = code & 63
        own: u64 = self.own
        opp: u64 = self.opp
        cell: i32
        if code:
            here: u64 = ONE << source
            there: u64 = ONE << target
            occ: u64 = own | opp | self.red
            live: u64 = live_after(self.red, occ, splitting(occ), source, there)
            gone: u64 = (occ ^ here) & ~live
            own2: u64 = own ^ here | there
            source_height: i32 = self.h[source]
            target_height: i32 = self.h[target]
            self.h[target] = source_height + target_height
            self.h[source] = 0
            self.diff = self.diff_after(own, opp, own2, self.diff, target_height, there, gone)
            self.key = self.key_after(
                own,
                opp,
                self.red,
                own2,
                self.key,
                self.side,
                source,
                target,
                source_height,
                target_height,
                gone,
            )
            if self.red & here:
                self.red = self.red ^ here | there
            self.ones &= ~(here | there) & live
            own = own2 & live
            opp = opp & ~there & live
            for cell in range(55):
                if not live >> cell & 1:
                    self.h[cell] = 0
        else:
            self.key ^= SIDE_KEY
        self.own = opp
        self.opp = own
        self.diff = -self.diff
        self.side ^= 1

    def recounted(self) -> tuple[int, int]:
        """The key and the difference of heights, computed from nothing: they have to equal those kept."""
        key: u64 = self.counted_key(self.own, self.opp, self.red, self.side)
        return key, self.counted_diff(self.own, self.opp)

    def board(self) -> tuple[int, int, int, list[int], int]:
        """The position as `set_position` takes it."""
        own: u64 = self.own
        opp: u64 = self.opp
        heights = [self.h[cell] for cell in range(64)]
        return (opp, own, self.red, heights, 1) if self.side else (own, opp, self.red, heights, 0)

    def counted_diff(self, own: u64, opp: u64) -> i32:
        """The height that `own` has more than `opp`, counted from nothing."""
        diff: i32 = 0
        cell: i32
        for cell in range(55):
            if own >> cell & 1:
                diff += self.h[cell]
            elif opp >> cell & 1:
                diff -= self.h[cell]
        return diff

    def counted_key(self, own: u64, opp: u64, red: u64, side: i32) -> u64:
        """The key of a position, computed from nothing."""
        key: u64 = SIDE_KEY if side else 0
        cell: i32
        kind: i32
        for cell in range(55):
            if (own | opp | red) >> cell & 1:
                kind = 4
                if own >> cell & 1:
                    kind = side
                elif opp >> cell & 1:
                    kind = side ^ 1
                if kind < 4 and red >> cell & 1:
                    kind += 2
                key ^= KEYS[(kind * 50 + self.h[cell]) << 6 | cell]
        return key

    def count_moves(self, stacks: u64, ones: u64, occ: u64) -> i32:
        """How many moves the stacks have, none of them surrounded."""
        singles: u64 = stacks & ones
        count: i32 = 0
        if singles:
            count = (
                popcount(singles & occ << 1)
                + popcount(singles & occ >> 1)
                + popcount(singles & occ << 11)
                + popcount(singles & occ >> 11)
                + popcount(singles & occ << 12)
                + popcount(singles & occ >> 12)
            )
        stacks &= ~ones
        cell: i32
        while stacks:
            cell = ctz(stacks)
            stacks &= stacks - 1
            count += popcount(TARGETS[self.h[cell] << 6 | cell] & occ)
        return count

    def count_sequences(self, own: u64, opp: u64, red: u64, depth: i32) -> i64:
        """Count sequences of exactly `depth` plies, 1 or more; a pass is one, a finished game has none."""
        occ: u64 = own | opp | red
        free: u64 = ~surrounded(occ)
        movers: u64 = own & free
        count: i64 = 0
        if depth == 1:
            count = self.count_moves(movers, 0, occ)
            return count if count else self.count_moves(opp & free, 0, occ) != 0
        cut: u64 = splitting(occ)
        moved: i32 = 0
        source: i32
        target: i32
        while movers:
            source = ctz(movers)
            movers &= movers - 1
            here: u64 = ONE << source
            rest: u64 = occ ^ here
            goals: u64 = TARGETS[self.h[source] << 6 | source] & occ
            while goals:
                there: u64 = goals & -goals
                goals ^= there
                target = ctz(there)
                moved = 1
                red2: u64 = red
                live: u64 = rest
                if red & here:
                    red2 = red ^ here | there
                    live = flood(red2, rest, rest)
                elif cut & here:
                    live = flood(red, rest, TARGETS[64 | source] & rest)
                self.h[target] += self.h[source]
                count += self.count_sequences(
                    opp & ~there & live, (own ^ here | there) & live, red2, depth - 1
                )
                self.h[target] -= self.h[source]
        if not moved and self.count_moves(opp & free, 0, occ):
            return self.count_sequences(opp, own, red, depth - 1)
        return count

    def perft(self, depth: int) -> int:
        """The number of sequences of exactly `depth` plies, 0 or more, from the position that was set."""
        count: i64 = 1
        plies: i32 = depth
        if plies > 0:
            with cython.nogil:
                count = self.count_sequences(self.own, self.opp, self.red, plies)
        return count

    def survey(self, occ: u64, red: u64) -> None:
        """Find what the features of both sides depend on: what is free, near red, holds together or hangs."""
        e: u64 = occ >> 1
        se: u64 = occ >> 12
        sw: u64 = occ >> 11
        w: u64 = occ << 1
        nw: u64 = occ << 12
        ne: u64 = occ << 11
        self.free = ~(e & se & sw & w & nw & ne)
        once: u64 = e | se
        twice: u64 = e & se
        twice |= once & sw
        once |= sw
        twice |= once & w
        once |= w
        twice |= once & nw
        once |= nw
        twice |= once & ne
        self.cut = splitting(occ)
        near: u64 = spread(red) & occ
        self.next_near = spread(near) & occ & ~near
        self.near = near & ~red
        self.pendant = occ & ~twice & ~red

    def describe_side(
        self,
        at: i32,
        mine: u64,
        other: u64,
        red: u64,
        ones: u64,
        occ: u64,
    ) -> i32:
        """Write the features of one side from place `at` on.

        Returns:
            How many stacks of it can move.
        """
        free: u64 = self.free
        near: u64 = self.near
        singles: u64 = mine & ones
        loose: u64 = singles & free
        goals: u64
        here: u64
        attacked: u64 = 0
        moves: i32 = 0
        onto_other: i32 = 0
        onto_red: i32 = 0
        mobile: i32 = 0
        if loose:
            goals = loose & occ << 1
            moves += popcount(goals)
            mobile_singles: u64 = goals
            goals = loose & occ >> 1
            moves += popcount(goals)
            mobile_singles |= goals
            goals = loose & occ << 11
            moves += popcount(goals)
            mobile_singles |= goals
            goals = loose & occ >> 11
            moves += popcount(goals)
            mobile_singles |= goals
            goals = loose & occ << 12
            moves += popcount(goals)
            mobile_singles |= goals
            goals = loose & occ >> 12
            moves += popcount(goals)
            mobile_singles |= goals
            mobile = popcount(mobile_singles)
            onto_other = (
                popcount(loose & other << 1)
                + popcount(loose & other >> 1)
                + popcount(loose & other << 11)
                + popcount(loose & other >> 11)
                + popcount(loose & other << 12)
                + popcount(loose & other >> 12)
            )
            goals = red
            while goals:
                onto_red += popcount(TARGETS[64 | ctz(goals)] & loose)
                goals &= goals - 1
            attacked = spread(loose)
        self.f[at] = popcount(mine)
        self.f[at + 1] = popcount(mine & red)
        self.f[at + 2] = popcount(mine & near)
        self.f[at + 3] = popcount(mine & self.next_near)
        self.f[at + 4] = popcount(mine & RIM)
        self.f[at + 5] = popcount(singles)
        self.f[at + 6] = popcount(loose)
        self.f[at + 7] = popcount(loose & near)
        self.f[at + 8] = popcount(singles & ~free & near)
        self.f[at + 9] = moves
        self.f[at + 10] = onto_other
        self.f[at + 11] = onto_red
        moves = 0
        onto_other = 0
        onto_red = 0
        blocked: i32 = 0
        movable: i32 = 0
        dead: i32 = 0
        dead_height: i32 = 0
        twos: i32 = 0
        threes: i32 = 0
        fours: i32 = 0
        heights: i32 = 0
        red_mobile: i32 = 0
        near_moves: i32 = 0
        count: i32
        cell: i32
        height: i32
        rest: u64 = mine & ~ones
        while rest:
            cell = ctz(rest)
            here = rest & -rest
            rest ^= here
            height = self.h[cell]
            heights += height
            twos += height == 2
            threes += height == 3
            fours += height == 4
            goals = TARGETS[height << 6 | cell] & occ
            if not goals:
                dead += 1
                dead_height += height
                continue
            count = popcount(goals)
            if free & here:
                movable += 1
                moves += count
                attacked |= goals
                if goals & other:
                    onto_other += popcount(goals & other)
                if goals & red:
                    onto_red += popcount(goals & red)
                if here & red:
                    red_mobile += 1
                if here & (red | near):
                    near_moves += count
            else:
                blocked += count
        mobile += movable
        self.f[at + 12] = moves
        self.f[at + 13] = onto_other
        self.f[at + 14] = onto_red
        self.f[at + 15] = blocked
        self.f[at + 16] = movable
        self.f[at + 17] = dead
        self.f[at + 18] = dead_height
        self.f[at + 19] = twos
        self.f[at + 20] = threes
        self.f[at + 21] = fours
        self.f[at + 22] = heights
        self.f[at + 23] = popcount(attacked & other)
        self.f[at + 24] = popcount(mine & self.pendant)
        self.f[at + 25] = popcount(mine & self.cut)
        self.f[at + 26] = 1 if mobile else 0
        self.f[at + 27] = mobile if mobile < 3 else 3
        self.f[at + 28] = red_mobile
        self.f[at + 29] = popcount(loose & self.next_near)
        self.f[at + 30] = near_moves
        self.f[at + 31] = popcount(attacked & other & red)
        return mobile

    def describe(self, own: u64, opp: u64, red: u64, ones: u64, diff: i32) -> i32:
        """Write all features of a position.

        Returns:
            How many stacks of both sides can move; 0 when the game is over.
        """
        occ: u64 = own | opp | red
        self.survey(occ, red)
        mobile: i32 = self.describe_side(0, own, opp, red, ones, occ)
        mobile += self.describe_side(32, opp, own, red, ones, occ)
        self.f[64] = 1
        self.f[65] = diff
        self.f[66] = popcount(red & ~own & ~opp)
        return mobile

    def evaluate(self, own: u64, opp: u64, red: u64, ones: u64, diff: i32) -> i32:
        """The value of a position without searching; the true one when the game is over.

        It is the sum of the features that `describe` writes times their weights, added up without writing
        them.
        """
        occ: u64 = own | opp | red
        self.survey(occ, red)
        stacks: i32 = popcount(occ)
        at: i32 = 72 * stacks
        tall: i32 = 768 * stacks
        self.mobile = 0
        value: i32 = self.worth(at, tall, own, opp, red, ones, occ)
        value += self.worth(at + 32, tall + 384, opp, own, red, ones, occ)
        if not self.mobile:
            self.proof = 3
            return end_value(diff)
        self.proof = 0
        value += self.weights[at + 64] + self.weights[at + 65] * diff
        value += self.weights[at + 66] * popcount(red & ~own & ~opp)
        value >>= 2
        if value > ESTIMATE_LIMIT:
            return ESTIMATE_LIMIT
        return value if value > -ESTIMATE_LIMIT else -ESTIMATE_LIMIT

    def worth(
        self,
        at: i32,
        tall: i32,
        mine: u64,
        other: u64,
        red: u64,
        ones: u64,
        occ: u64,
    ) -> i32:
        """What the features that `describe_side` counts are worth by the weights from `at` on.

        Adds the stacks of it that can move to `mobile`.
        """
        free: u64 = self.free
        near: u64 = self.near
        loose: u64 = mine & ones & free
        goals: u64 = loose << 1
        attacked: u64 = goals
        moves: i32 = popcount(goals & occ)
        onto_other: i32 = popcount(goals & other)
        goals = loose >> 1
        attacked |= goals
        moves += popcount(goals & occ)
        onto_other += popcount(goals & other)
        goals = loose << 11
        attacked |= goals
        moves += popcount(goals & occ)
        onto_other += popcount(goals & other)
        goals = loose >> 11
        attacked |= goals
        moves += popcount(goals & occ)
        onto_other += popcount(goals & other)
        goals = loose << 12
        attacked |= goals
        moves += popcount(goals & occ)
        onto_other += popcount(goals & other)
        goals = loose >> 12
        attacked |= goals
        moves += popcount(goals & occ)
        onto_other += popcount(goals & other)
        onto_red: i32 = 0
        goals = red
        while goals:
            onto_red += popcount(TARGETS[64 | ctz(goals)] & loose)
            goals &= goals - 1
        mobile: i32 = popcount(loose)
        value: i32 = (
            self.weights[at] * popcount(mine)
            + self.weights[at + 1] * popcount(mine & red)
            + self.weights[at + 2] * popcount(mine & near)
            + self.weights[at + 3] * popcount(mine & self.next_near)
            + self.weights[at + 4] * popcount(mine & RIM)
            + self.weights[at + 5] * popcount(mine & ones)
            + self.weights[at + 6] * mobile
            + self.weights[at + 7] * popcount(loose & near)
            + self.weights[at + 8] * popcount(mine & ones & ~free & near)
            + self.weights[at + 9] * moves
            + self.weights[at + 10] * onto_other
            + self.weights[at + 11] * onto_red
            + self.weights[at + 24] * popcount(mine & self.pendant)
            + self.weights[at + 25] * popcount(mine & self.cut)
            + self.weights[at + 29] * popcount(loose & self.next_near)
        )
        onto_other = 0
        onto_red = 0
        height: i32
        kind: i32
        cell: i32
        rest: u64 = mine & ~ones
        near |= red
        while rest:
            cell = ctz(rest)
            rest &= rest - 1
            height = self.h[cell]
            if height > 10:
                value += self.weights[at + 17] + (self.weights[at + 18] + self.weights[at + 22]) * height
                continue
            goals = TARGETS[height << 6 | cell] & occ
            kind = (near >> cell & 1) + (red >> cell & 1) + 1
            kind = kind if free >> cell & 1 else 0
            value += self.towers[tall + 96 * kind + 8 * height + popcount(goals)]
            goals = goals if kind else 0
            mobile += goals != 0
            attacked |= goals
            onto_other += popcount(goals & other)
            onto_red += popcount(goals & red)
        self.mobile += mobile
        return (
            value
            + self.weights[at + 13] * onto_other
            + self.weights[at + 14] * onto_red
            + self.weights[at + 23] * popcount(attacked & other)
            + (self.weights[at + 26] if mobile else 0)
            + self.weights[at + 27] * (mobile if mobile < 3 else 3)
            + self.weights[at + 31] * popcount(attacked & other & red)
        )

    def features(self) -> tuple[int, list[int]]:
        """The number of stacks, and the features of the position that was set. For learning."""
        stacks: i32 = popcount(self.own | self.opp | self.red)
        self.describe(self.own, self.opp, self.red, self.ones, self.diff)
        return stacks, [self.f[place] for place in range(72)]

    def estimate(self) -> int:
        """The value of the position that was set, without searching."""
        return self.evaluate(self.own, self.opp, self.red, self.ones, self.diff)

    def limit_nodes(self, most: int) -> None:
        """End a search when it has seen so many positions; the count begins anew."""
        self.nodes = 0
        self.node_limit = most
        self.next_look = 0

    def fill_effects(
        self, white: int, black: int, red: int, whites_left: int, blacks_left: int, samples: int, seed: int
    ) -> list[int]:
        """What a free cell is worth while the board is being filled.

        Fills the board at random so many times and values it, White to move. The position that was set is
        lost.

        Raises:
            ValueError: as many pieces are left as cells are free, or it cannot be done.

        Returns:
            For each of the 64 bits, the mean value for White of boards with a white piece there, less that
            of boards with a black one, in hundredths of a point; 0 for cells that are not free.
        """
        counts = [0] * 128
        sums = [0] * 128
        free: u64 = BOARD & ~(white | black | red)
        whites: u64 = white
        blacks: u64 = black
        reds: u64 = red
        state: u64 = (seed & 0xFFFFFFFFFFFF) * 2 + 0x9E3779B97F4A7C15
        mask: u64 = 0xFFFFFFFFFFFFFFFF
        cell: i32
        value: i32
        wanted: i32
        left: i32
        if whites_left + blacks_left != popcount(free):
            raise ValueError("the pieces that are left do not fill the board")
        for cell in range(64):
            self.h[cell] = 1
        for _ in range(samples):
            own: u64 = whites
            opp: u64 = blacks
            rest: u64 = free
            wanted = whites_left
            left = whites_left + blacks_left
            while rest:
                here: u64 = rest & -rest
                rest ^= here
                state ^= state << 13 & mask
                state ^= state >> 7
                state ^= state << 17 & mask
                value = state >> 33 & 0xFFFFFF
                if value % left < wanted:
                    own |= here
                    wanted -= 1
                else:
                    opp |= here
                left -= 1
            value = self.evaluate(own, opp, reds, BOARD, 0)
            rest = free
            while rest:
                cell = ctz(rest)
                rest &= rest - 1
                if opp >> cell & 1:
                    cell += 64
                counts[cell] += 1
                sums[cell] += value
        return [
            100 * sums[place] // counts[place] - 100 * sums[place + 64] // counts[place + 64]
            if counts[place] and counts[place + 64]
            else 0
            for place in range(64)
        ]

    def look_around(self) -> None:
        """See whether the search has to end."""
        if self.nodes >= self.node_limit or (self.deadline > 0 and clock() >= self.deadline):
            self.stopped = True
        elif self.nodes >> 3 > self.table.mask:
            self.table.grow()
        self.mask = self.table.mask
        self.next_look = self.nodes + 1024
        if self.next_look > self.node_limit:
            self.next_look = self.node_limit

    def generate(
        self, own: u64, opp: u64, red: u64, side: i32, ply: i32, base: i32, known: i32, cut: u64
    ) -> i32:
        """Write the moves of `own` but the known one from place `base` on, each with a guess how good it is.

        A guess stands in the bits above the move: of two moves the larger number is to be tried first. The
        largest is left in `foremost`. Zeros follow, so that the list can be read in blocks of 8.

        Returns:
            The place after the last move.
        """
        occ: u64 = own | opp | red
        movers: u64 = own & ~surrounded(occ)
        special: u64 = red
        offset: i32 = side << 12
        killer: i32 = offset | self.killers[2 * ply]
        killer2: i32 = offset | self.killers[2 * ply + 1]
        last: i32 = base
        source: i32
        here: u64
        rest: u64
        goals: u64 = movers & cut & ~red
        while goals:
            source = ctz(goals)
            here = goals & -goals
            goals ^= here
            rest = occ ^ here
            if flood(red, rest, TARGETS[64 | source] & rest) != rest:
                special |= here
        if known:
            special |= ONE << (known >> 6)
        special &= movers
        self.foremost = 0
        self.history[killer] += 3000
        self.history[killer2] += 2000
        if special:
            last = self.list_special(own, opp, red, occ, special, offset, last, known)
        last = self.list_plain(own, opp, occ, movers & ~special, offset, last)
        self.history[killer2] -= 2000
        self.history[killer] -= 3000
        for source in range(8):
            self.moves[last + source] = 0
        return last

    def list_plain(self, own: u64, opp: u64, occ: u64, movers: u64, offset: i32, last: i32) -> i32:
        """Write the moves of stacks that leave everything linked when they go."""
        source: i32
        target: i32
        move: i32
        guess: i32
        taken: i32
        joined: i32
        empty: i64
        at: i32
        number: i32 = 0
        total: i32 = 0
        foremost: i32 = self.foremost
        goals: u64
        while movers:
            source = ctz(movers)
            movers &= movers - 1
            goals = TARGETS[self.h[source] << 6 | source] & occ
            self.goals[number] = goals
            self.sources[number] = source << 6
            total += popcount(goals)
            number += goals != 0
        # One loop over all moves instead of one for each stack, whose many ends no processor foresees.
        number = 0
        goals = self.goals[0]
        after: u64 = self.goals[1]
        for at in range(last, last + total):
            target = ctz(goals)
            move = self.sources[number] | target
            taken = opp >> target & 1
            joined = own >> target & 1
            guess = GUESS + self.history[offset | move] + (taken - joined) * (512 + 64 * self.h[target])
            move |= guess << 12
            self.moves[at] = move
            foremost = move if move > foremost else foremost
            goals &= goals - 1
            empty = -(goals == 0)
            goals |= after & empty
            number -= empty
            after = self.goals[number + 1]
        self.foremost = foremost
        return last + total

    def list_special(
        self, own: u64, opp: u64, red: u64, occ: u64, movers: u64, offset: i32, last: i32, known: i32
    ) -> i32:
        """Write the moves but the known one of stacks whose going may cut off others."""
        source: i32
        target: i32
        move: i32
        guess: i32
        lost: i32
        taken: i32
        joined: i32
        cell: i32
        here: u64
        there: u64
        live: u64
        gone: u64
        goals: u64
        while movers:
            source = ctz(movers)
            here = movers & -movers
            movers ^= here
            goals = TARGETS[self.h[source] << 6 | source] & occ
            while goals:
                target = ctz(goals)
                there = goals & -goals
                goals ^= there
                move = source << 6 | target
                if move == known:
                    continue
                live = live_after(red, occ, here, source, there)
                gone = (occ ^ here) & ~live
                lost = 0
                while gone:
                    cell = ctz(gone)
                    gone &= gone - 1
                    lost += self.h[cell] if opp >> cell & 1 else -self.h[cell]
                taken = opp >> target & 1
                joined = own >> target & 1
                guess = GUESS + self.history[offset | move] + 1200 * lost
                guess += (taken - joined) * (512 + 64 * self.h[target])
                if not live & there:
                    guess -= 1200 * (self.h[source] + 2 * self.h[target])
                move |= guess << 12
                self.moves[last] = move
                self.foremost = move if move > self.foremost else self.foremost
                last += 1
        return last

    def following(self, base: i32, last: i32, before: i32) -> i32:
        """The best guess of the moves from a place on that is below the one before; 0 when there is none."""
        best: i32 = 0
        at: i32
        move: i32
        for at in range(base, base + (last - base + 7 & ~7)):
            move = self.moves[at] if self.moves[at] < before else 0
            best = move if move > best else best
        return best

    def can_move(self, movers: u64, targets: u64, move: i32) -> i32:
        """Whether a move, 0 for none, is that of one of the stacks onto one of the targets."""
        source: i32 = move >> 6
        target: i32 = move & 63
        return movers >> source & (TARGETS[self.h[source] << 6 | source] & targets) >> target & 1

    def diff_after(
        self, own: u64, opp: u64, own2: u64, diff: i32, target_height: i32, there: u64, gone: u64
    ) -> i32:
        """What `diff` becomes by a move onto a stack, the new height already set, and what then leaves."""
        cell: i32
        if opp & there:
            diff += 2 * target_height
        elif not own & there:
            diff += target_height
        while gone:
            cell = ctz(gone)
            gone &= gone - 1
            if own2 >> cell & 1:
                diff -= self.h[cell]
            else:
                diff += self.h[cell]
        return diff

    def key_after(
        self,
        own: u64,
        opp: u64,
        red: u64,
        own2: u64,
        key: u64,
        side: i32,
        source: i32,
        target: i32,
        source_height: i32,
        target_height: i32,
        gone: u64,
    ) -> u64:
        """What `key` becomes by a move, the new height already set, and what then leaves."""
        cell: i32
        kind: i32 = side + 2 if red >> source & 1 else side
        after: i32 = side + 2 if red >> target & 1 else kind
        before: i32 = 4
        if opp >> target & 1:
            before = 3 - side if red >> target & 1 else side ^ 1
        elif own >> target & 1:
            before = after if red >> target & 1 else side
        key ^= (
            SIDE_KEY
            ^ KEYS[(kind * 50 + source_height) << 6 | source]
            ^ KEYS[(before * 50 + target_height) << 6 | target]
            ^ KEYS[(after * 50 + source_height + target_height) << 6 | target]
        )
        while gone:
            cell = ctz(gone)
            gone &= gone - 1
            kind = side if own2 >> cell & 1 else side ^ 1
            key ^= KEYS[(kind * 50 + self.h[cell]) << 6 | cell]
        return key

    def descend(
        self,
        own: u64,
        opp: u64,
        red: u64,
        ones: u64,
        live: u64,
        diff: i32,
        key: u64,
        side: i32,
        move: i32,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: i32,
        base: i32,
    ) -> i32:
        """Make a move, value what follows to `depth` more plies, and take the move back.

        The key is that of the position after the move; it is not looked at without a depth.

        Returns:
            The value from the view of the side that moved; `proof` tells what is known of it.
        """
        source: i32 = move >> 6 & 63
        target: i32 = move & 63
        here: u64 = ONE << source
        there: u64 = ONE << target
        source_height: i32 = self.h[source]
        target_height: i32 = self.h[target]
        own2: u64 = own ^ here | there
        opp2: u64 = opp & ~there
        red2: u64 = red
        if red & here:
            red2 = red ^ here | there
        self.h[target] = source_height + target_height
        gone: u64 = ((own | opp | red) ^ here) & ~live
        value: i32
        diff = self.diff_after(own, opp, own2, diff, target_height, there, gone)
        if depth <= 0:
            self.nodes += 1
            self.pv_length[ply + 1] = 0
            own2 &= live
            opp2 &= live
            ones &= ~(here | there) & live
            # Among proven values it does not matter what the estimate is.
            if (alpha >= ESTIMATE_LIMIT or beta <= -ESTIMATE_LIMIT) and goes_on(own2, opp2, red2, ones):
                self.proof = 0
                value = ESTIMATE_LIMIT if alpha > 0 else -ESTIMATE_LIMIT
            else:
                value = -self.evaluate(opp2, own2, red2, ones, -diff)
        else:
            value = -self.search(
                opp2 & live,
                own2 & live,
                red2,
                ones & ~(here | there) & live,
                -diff,
                key,
                side ^ 1,
                depth,
                -beta,
                -alpha,
                ply + 1,
                base,
            )
        self.h[target] = target_height
        self.proof = (self.proof << 1 | self.proof >> 1) & 3
        return value

    def search(
        self,
        own: u64,
        opp: u64,
        red: u64,
        ones: u64,
        diff: i32,
        key: u64,
        side: i32,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: i32,
        base: i32,
    ) -> i32:
        """Principal variation search: the value to `depth` plies, 1 or more, within the window.

        The value is a lower bound when it is `beta` or more, an upper bound when it is `alpha` or less.
        `proof` says afterwards whether it is a bound of the true value whatever the depth:
        1 for a lower, 2 for an upper bound, 3 when it is the true value. Worthless once `stopped`.
        """
        self.nodes += 1
        if self.nodes >= self.next_look:
            self.look_around()
        if self.stopped:
            return 0
        wide: i32 = beta - alpha > 1
        self.pv_length[ply] = 0
        slot: u64 = (key & self.mask) << 3
        data: u64
        first: i32 = 0
        value: i32
        bound: i32
        i: i32
        for i in range(4):
            data = self.slots[slot + 2 * i + 1]
            if self.slots[slot + 2 * i] ^ data == key:
                bound = data >> 18 & 3
                if not bound:
                    break
                first = data & 4095
                # What a search with more reductions found is no result of one with fewer.
                if data >> 20 & 1 or (
                    not wide
                    and (data >> 12 & 63) >= depth
                    and (not self.patience or (data >> 21 & 63) == self.age)
                ):
                    value = data >> 27 & 0x1FFFFF
                    value -= 1048576
                    if bound == 3 or (bound == 1 and value >= beta) or (bound == 2 and value <= alpha):
                        self.proof = bound if data >> 20 & 1 else 0
                        return value
                break
        occ: u64 = own | opp | red
        free: u64 = ~surrounded(occ)
        cut: u64 = splitting(occ)
        # The table's move, else a killer that captures and cuts nothing off, is tried before the others are
        # even listed: most often it is enough. Among proven values killers are wrong too often.
        if not self.can_move(own & free, occ, first):
            first = 0
            if -WON < alpha < WON:
                for i in range(2 * ply, 2 * ply + 2):
                    if self.can_move(own & free & ~(cut | red), opp, self.killers[i]):
                        first = self.killers[i]
                        break
        live: u64
        child: u64
        ahead_live: u64 = 0
        ahead_key: u64 = 0
        known: i32 = first
        move: i32
        packed: i32 = 0
        ahead: i32 = 0
        last: i32 = -1
        top: i32 = base
        number: i32 = 0
        best: i32 = -INFINITE
        best_move: i32 = 0
        best_proof: i32 = 0
        all_proven: i32 = 2
        floor: i32 = alpha
        tried: i32 = 0
        less: i32
        high: i32
        while True:
            if known:
                move = known
                known = 0
                live = live_after(red, occ, cut, move >> 6, ONE << (move & 63))
                child = 0
            else:
                if last < 0:
                    last = self.generate(own, opp, red, side, ply, base, first, cut)
                    top = 2 * last - base + 8
                    ahead = self.foremost
                    if ahead:
                        ahead_live = live_after(red, occ, cut, ahead >> 6 & 63, ONE << (ahead & 63))
                        if depth > 1:
                            ahead_key = self.foresee(own, opp, red, side, key, ahead, ahead_live)
                if number == last - base:
                    break
                if depth <= 2 and tried >= 8 * depth and not wide and best > -WON:
                    all_proven = 0
                    break
                if ahead:
                    packed = ahead
                    live = ahead_live
                    child = ahead_key
                    ahead = 0
                else:
                    packed = self.following(base, last, packed)
                    live = live_after(red, occ, cut, packed >> 6 & 63, ONE << (packed & 63))
                    child = 0
                move = packed & 4095
                self.moves[last + 8 + number] = packed
                number += 1
                less = REDUCTIONS[depth << 6 | (tried + 1 if tried < 62 else 63)] >> self.patience
                if depth - 1 > less and number < last - base:
                    ahead = self.following(base, last, packed)
                    ahead_live = live_after(red, occ, cut, ahead >> 6 & 63, ONE << (ahead & 63))
                    ahead_key = self.foresee(own, opp, red, side, key, ahead, ahead_live)
            if (
                self.blind
                and (occ ^ ONE << (move >> 6)) & ~live
                and ((key ^ self.salt ^ KEYS[move]) >> 20 & 255) < self.blind
            ):
                all_proven = 0
                continue
            less = 0
            high = beta
            if tried:
                less = REDUCTIONS[depth << 6 | (tried if tried < 63 else 63)] >> self.patience
                high = alpha + 1
            while True:
                if depth - 1 > less and not child:
                    child = self.foresee(own, opp, red, side, key, move, live)
                value = self.descend(
                    own,
                    opp,
                    red,
                    ones,
                    live,
                    diff,
                    child,
                    side,
                    move,
                    depth - 1 - less,
                    alpha,
                    high,
                    ply,
                    top,
                )
                if self.stopped:
                    return 0
                if value > alpha and less:
                    less = 0
                elif alpha < value < beta and high < beta:
                    high = beta
                else:
                    break
            tried += 1
            all_proven &= self.proof
            if value > best:
                best = value
                best_move = move
                best_proof = self.proof & 1
                if value > alpha:
                    alpha = value
                    if wide:
                        self.keep_line(move, ply)
                    if alpha >= beta:
                        break
        if not tried:
            if last > base or first:
                return self.evaluate(own, opp, red, ones, diff)
            if self.count_moves(opp & free, ones, occ):
                value = -self.search(
                    opp, own, red, ones, -diff, key ^ SIDE_KEY, side ^ 1, depth, -beta, -alpha, ply + 1, base
                )
                self.proof = (self.proof << 1 | self.proof >> 1) & 3
                if wide and value > alpha:
                    self.keep_line(0, ply)
                return value
            self.proof = 3
            return end_value(diff)
        if best >= beta:
            bound = 1
            self.proof = best_proof
            self.learn(side, ply, depth, best_move, last + 8, number)
        elif best <= floor:
            bound = 2
            self.proof = all_proven
        else:
            bound = 3
            self.proof = best_proof | all_proven
        self.store((key & self.mask) << 3, key, depth, best, bound, self.proof & bound == bound, best_move)
        return best

    def foresee(self, own: u64, opp: u64, red: u64, side: i32, key: u64, move: i32, live: u64) -> u64:
        """Begin to fetch what the table holds of the position after a move.

        Returns:
            The key of that position.
        """
        source: i32 = move >> 6 & 63
        target: i32 = move & 63
        here: u64 = ONE << source
        source_height: i32 = self.h[source]
        target_height: i32 = self.h[target]
        self.h[target] = source_height + target_height
        key = self.key_after(
            own,
            opp,
            red,
            own ^ here | ONE << target,
            key,
            side,
            source,
            target,
            source_height,
            target_height,
            ((own | opp | red) ^ here) & ~live,
        )
        self.h[target] = target_height
        prefetch(self.slots, (key & self.mask) << 3)
        return key

    def keep_line(self, move: i32, ply: i32) -> None:
        """Put a move, 0 for a pass, before the best line one ply deeper."""
        length: i32 = self.pv_length[ply + 1]
        i: i32
        self.pv[ply << 7] = move
        for i in range(length):
            self.pv[ply << 7 | i + 1] = self.pv[(ply + 1) << 7 | i]
        self.pv_length[ply] = length + 1

    def learn(self, side: i32, ply: i32, depth: i32, move: i32, first: i32, number: i32) -> None:
        """Remember that a move refuted the one before it, and that those tried earlier did not.

        What was tried stands from a place on, so many moves, the last of them the one that refuted.
        """
        bonus: i32 = depth * depth if depth < 8 else 64
        i: i32
        at: i32 = side << 12 | move
        self.history[at] += (8191 - self.history[at]) * bonus >> 8
        for i in range(first, first + number - 1):
            at = side << 12 | self.moves[i] & 4095
            self.history[at] -= self.history[at] * bonus >> 9
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move

    def store(self, slot: u64, key: u64, depth: i32, value: i32, bound: i32, proven: i32, move: i32) -> None:
        """Keep a result, in the place of what is worth least in its bucket."""
        chosen: i32 = 0
        least: i32 = 1000
        worth: i32
        i: i32
        data: u64
        for i in range(4):
            data = self.slots[slot + 2 * i + 1]
            if self.slots[slot + 2 * i] ^ data == key:
                if data >> 20 & 1 and not proven and data >> 18 & 3 == 3:
                    return
                chosen = i
                break
            worth = data >> 12 & 63
            if (data >> 21 & 63) == self.age:
                worth += 64
            if worth < least:
                least = worth
                chosen = i
        data = value + 1048576
        data = data << 27
        data |= move | depth << 12 | bound << 18 | proven << 20 | self.age << 21
        self.slots[slot + 2 * chosen] = key ^ data
        self.slots[slot + 2 * chosen + 1] = data

    def prepare_root(self) -> int:
        """List the moves of the position that was set, best guesses first, and tell how many there are."""
        place: i32
        other: i32
        packed: i32
        self.root_count = self.generate(
            self.own, self.opp, self.red, self.side, 0, 0, 0, splitting(self.own | self.opp | self.red)
        )
        for place in range(self.root_count):
            for other in range(place + 1, self.root_count):
                if self.moves[other] > self.moves[place]:
                    packed = self.moves[place]
                    self.moves[place] = self.moves[other]
                    self.moves[other] = packed
            self.root_moves[place] = self.moves[place] & 4095
            self.root_values[place] = 0
            self.root_noise[place] = 0
        return self.root_count

    def root_move(self, place: int) -> int:
        """The move, 64 * source + target, at a place of the list of the root."""
        at: i32 = place
        return self.root_moves[at]

    def put_root_move(self, place: int, move: int) -> None:
        """Move a root move forward to a place of the list."""
        at: i32 = place
        wanted: i32 = move
        i: i32
        for i in range(at, self.root_count):
            if self.root_moves[i] == wanted:
                self.raise_root(i, at)
                break

    def set_root_noise(self, place: int, noise: int) -> None:
        """Add something to the estimates of the move at a place."""
        at: i32 = place
        self.root_noise[at] = noise

    def line(self) -> list[int]:
        """The best line of the last iteration: moves as 64 * source + target, 0 for a pass."""
        return [self.pv[i] for i in range(self.pv_length[0])]

    def remembered(self) -> int:
        """The move, 64 * source + target, by which the table proves the exact value of the position that
        was set; 0 when it does not."""
        slot: u64 = (self.key & self.table.mask) << 3
        data: u64
        i: i32
        for i in range(4):
            data = self.slots[slot + 2 * i + 1]
            if self.slots[slot + 2 * i] ^ data == self.key and data >> 18 & 7 == 7:
                return data & 4095
        return 0

    def iterate(self, depth: int, alpha: int, beta: int, first: int) -> int:
        """Search the root moves from place `first` on to a depth, within a window.

        Afterwards `root_done` moves were completed, `root_bound` says what the value is (1 lower bound,
        2 upper bound, 3 exact), `root_proof` what of it is proven, and if a move was better than `alpha`,
        the best one is at place `first` and begins `line()`.

        Returns:
            The best value.
        """
        plies: i32 = depth
        low: i32 = alpha
        high: i32 = beta
        start: i32 = first
        value: i32
        self.mask = self.table.mask
        with cython.nogil:
            value = self.search_root(plies, low, high, start)
        return value

    def raise_root(self, place: i32, to: i32) -> None:
        """Move the root move at a place forward."""
        move: i32 = self.root_moves[place]
        noise: i32 = self.root_noise[place]
        value: i32 = self.root_values[place]
        while place > to:
            self.root_moves[place] = self.root_moves[place - 1]
            self.root_noise[place] = self.root_noise[place - 1]
            self.root_values[place] = self.root_values[place - 1]
            place -= 1
        self.root_moves[to] = move
        self.root_noise[to] = noise
        self.root_values[to] = value

    def search_root(self, depth: i32, alpha: i32, beta: i32, first: i32) -> i32:
        """What `iterate` does."""
        own: u64 = self.own
        opp: u64 = self.opp
        red: u64 = self.red
        occ: u64 = own | opp | red
        cut: u64 = splitting(occ)
        live: u64
        best: i32 = -INFINITE
        best_proof: i32 = 0
        all_proven: i32 = 2
        floor: i32 = alpha
        value: i32
        move: i32
        noise: i32
        low: i32
        high: i32
        widest: i32
        less: i32
        i: i32
        self.root_done = 0
        self.root_bound = 0
        self.root_proof = 0
        self.pv_length[0] = 0
        for i in range(first, self.root_count):
            move = self.root_moves[i]
            noise = self.root_noise[i]
            # What is certain is not misjudged: only windows among estimates are shifted.
            low = alpha - noise if -WON < alpha < WON else alpha
            high = beta - noise if -WON < beta < WON else beta
            live = live_after(red, occ, cut, move >> 6, ONE << (move & 63))
            less = 0
            widest = high
            if i > first:
                less = REDUCTIONS[depth << 6 | (i - first if i - first < 63 else 63)] >> self.patience
                less = 1 if less else 0
                high = low + 1
            while True:
                value = self.descend(
                    own,
                    opp,
                    red,
                    self.ones,
                    live,
                    self.diff,
                    self.foresee(own, opp, red, self.side, self.key, move, live),
                    self.side,
                    move,
                    depth - 1 - less,
                    low,
                    high,
                    0,
                    0,
                )
                if self.stopped or value <= low:
                    break
                if less:
                    less = 0
                elif high < widest and value < widest:
                    high = widest
                else:
                    break
            if self.stopped:
                break
            self.root_done += 1
            all_proven &= self.proof
            if -WON < value < WON:
                value += noise
            self.root_values[i] = value
            if value > best:
                best = value
                best_proof = self.proof & 1
                if value > alpha:
                    alpha = value
                    self.keep_line(move, 0)
                    self.raise_root(i, first)
                    if alpha >= beta:
                        break
        if self.root_done:
            self.root_bound = 1 if best >= beta else 2 if best <= floor else 3
            if self.stopped:
                all_proven = 0
            if self.root_bound & 1:
                self.root_proof |= best_proof
            if self.root_bound & 2:
                self.root_proof |= all_proven
        return best


fill_tables()
