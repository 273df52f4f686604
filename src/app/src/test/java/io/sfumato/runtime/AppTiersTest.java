// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.testkit.ModuleTiers;

/** Of the module app. */
class AppTiersTest extends ModuleTiers {}
