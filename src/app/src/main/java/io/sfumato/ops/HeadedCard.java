// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.rows.Card;
import io.sfumato.rows.OutputHead;

/** A card, and whose it is: what the page shows of names is decided where cards are written. */
record HeadedCard(OutputHead head, Card card) {}
