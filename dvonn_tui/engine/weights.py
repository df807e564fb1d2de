"""The learned weights. Written by ``python -m dvonn_tui.engine.train``.

Fitted to 368467 positions of 12782 games with 1500 positions a move; cross-entropy on the tenth that was
held back: 0.4493. Against weights set by hand (100 a stack, 25 a move, 20 onto red or enemy, more beside
red): 77.5 % of the points in 200 games from random boards at 5000 positions a move (+153 =4 -43).
"""

from __future__ import annotations

from typing import Final

from dvonn_tui.engine.evaluation import weight_table

KNOTS: Final = (6, 14, 22, 30, 40, 49)

ROWS: Final = {
    "my stacks": (359, 392, 379, 342, 281, 250),
    "my stacks with red": (202, 188, 228, 256, 157, 85),
    "my stacks beside red": (213, 196, 201, 193, 190, 165),
    "my stacks two steps from red": (127, 148, 185, 184, 160, 136),
    "my stacks on the rim": (-22, -24, -38, -7, 23, 44),
    "my singles": (258, 283, 277, 251, 204, 180),
    "my free singles": (-215, -239, -376, -398, -349, -321),
    "my free singles beside red": (36, 45, 84, 46, 16, -22),
    "my surrounded singles beside red": (368, 402, 319, 171, 94, 83),
    "my moves of singles": (74, 80, 50, 40, 38, 41),
    "my moves of singles onto the enemy": (212, 231, 142, 93, 51, 26),
    "my moves of singles onto red": (256, 301, 304, 280, 201, 178),
    "my moves of towers": (84, 89, 54, 45, 44, 55),
    "my moves of towers onto the enemy": (241, 245, 154, 94, 18, -10),
    "my moves of towers onto red": (221, 321, 263, 198, 67, -3),
    "my moves of surrounded towers": (144, 152, 193, 170, 78, 118),
    "my towers that can move": (57, 44, 37, 49, 72, 65),
    "my towers without a target": (-343, -353, -311, -311, -313, -269),
    "my height of towers without a target": (-33, -10, 11, 32, 49, 48),
    "my towers of two": (65, 92, 63, 6, 34, 45),
    "my towers of three": (169, 58, -31, -25, -22, 18),
    "my towers of four": (56, -8, -13, -40, -59, -82),
    "my height of towers": (-165, -177, -189, -169, -139, -123),
    "my enemy stacks in reach": (263, 279, 167, 108, 84, 52),
    "my stacks hanging on one neighbour": (-168, -109, -114, -110, -98, -168),
    "my stacks that hold the board together": (-41, -42, -51, -50, -28, -48),
    "my can move": (141, 238, -120, -419, -668, -773),
    "my movable stacks up to three": (579, -294, -29, -23, -19, -17),
    "my movable towers with red": (-3, -1, 119, 103, 33, 25),
    "my free singles two steps from red": (122, 126, 177, 151, 99, 77),
    "my moves of towers at red": (70, 56, 26, 17, 2, -2),
    "my enemy stacks with red in reach": (250, 24, -81, -81, -181, -258),
    "their stacks": (-370, -402, -364, -304, -237, -208),
    "their stacks with red": (-137, -286, -191, -267, -196, -112),
    "their stacks beside red": (-227, -239, -211, -222, -216, -189),
    "their stacks two steps from red": (-158, -171, -181, -186, -158, -129),
    "their stacks on the rim": (66, 55, 31, 14, -18, -59),
    "their singles": (-262, -285, -264, -226, -175, -151),
    "their free singles": (173, 196, 365, 396, 352, 317),
    "their free singles beside red": (-82, -77, -49, -20, -3, 32),
    "their surrounded singles beside red": (-366, -396, -278, -133, -66, -53),
    "their moves of singles": (-92, -99, -64, -43, -39, -36),
    "their moves of singles onto the enemy": (-131, -143, -99, -73, -47, -31),
    "their moves of singles onto red": (-332, -346, -300, -267, -188, -167),
    "their moves of towers": (-131, -143, -82, -64, -48, -47),
    "their moves of towers onto the enemy": (-85, -104, -93, -62, -23, 7),
    "their moves of towers onto red": (-315, -359, -251, -185, -77, 14),
    "their moves of surrounded towers": (-143, -148, -235, -171, -84, -97),
    "their towers that can move": (-74, -98, -36, -35, -87, -112),
    "their towers without a target": (252, 341, 293, 348, 290, 251),
    "their height of towers without a target": (-32, -21, -20, -40, -47, -45),
    "their towers of two": (-16, -50, -24, 19, 11, -19),
    "their towers of three": (-83, -31, 39, 51, 37, 8),
    "their towers of four": (64, 30, 12, 46, 41, 39),
    "their height of towers": (167, 190, 182, 171, 138, 118),
    "their enemy stacks in reach": (-141, -158, -132, -104, -74, -41),
    "their stacks hanging on one neighbour": (213, 162, 114, 138, 117, 210),
    "their stacks that hold the board together": (35, 38, 70, 43, 28, 11),
    "their can move": (527, 1781, 1294, 1027, 862, 784),
    "their movable stacks up to three": (-402, -301, -330, -262, -220, -200),
    "their movable towers with red": (-65, 39, -106, -108, -5, 63),
    "their free singles two steps from red": (-145, -163, -155, -138, -98, -83),
    "their moves of towers at red": (-39, -48, -24, -8, 4, 5),
    "their enemy stacks with red in reach": (335, 73, 88, 111, 199, 299),
    "to move": (141, 238, -120, -419, -668, -773),
    "lead": (231, 249, 214, 176, 134, 117),
    "lone reds": (-116, 34, 49, 31, 48, 37),
}

WEIGHTS: Final = weight_table(KNOTS, ROWS)
"""For each number of stacks, 0 to 49."""
