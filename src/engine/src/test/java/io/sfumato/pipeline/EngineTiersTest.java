// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.testkit.ModuleTiers;

/** Of the module engine. */
class EngineTiersTest extends ModuleTiers {}
