// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Share;

/**
 * A share with the number of its queries fixed, and how each is answered.
 *
 * @param share of which one query is one charge
 * @param mechanism with its parameters
 */
public record QueryPlan(Share share, QueryMechanism mechanism) {}
