// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.testkit.ModuleTiers;

/** Of the module core. */
class CoreTiersTest extends ModuleTiers {}
