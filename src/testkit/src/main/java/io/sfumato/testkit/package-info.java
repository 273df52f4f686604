// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/** What tests of every part use: goodness of fit, published figures of others, tiers. */
package io.sfumato.testkit;
