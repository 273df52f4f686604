# SPDX-License-Identifier: Apache-2.0
# Copyright The Sfumato authors
"""Combines the rows of each case (a line of JSON), and prints value, low and high, or `refused`."""
import json
import sys

import sfumato_rows as sr

for line in sys.stdin:
    case = json.loads(line)
    rows = sr.Rows(sr.Row(cells) for cells in case["rows"])
    first, second = (sr.Rows(rows[i] for i in case[side]) for side in ("first", "second"))
    try:
        found = {
            "sum": lambda: sr.sum_rows(rows.where(**case["where"])),
            "weighted-mean": lambda: sr.weighted_mean(rows, case["weights"]),
            "pooled-mean": lambda: sr.pooled_mean(rows),
            "difference": lambda: sr.difference(first, second),
            "ratio": lambda: sr.ratio(first, second),
        }[case["how"]]()
        print(json.dumps([found.value, found.low, found.high]))
    except sr.Refused as refusal:
        print(json.dumps(str(refusal)))
