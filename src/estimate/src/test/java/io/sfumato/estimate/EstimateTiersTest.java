// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.testkit.ModuleTiers;

/** Of the module estimate. */
class EstimateTiersTest extends ModuleTiers {}
