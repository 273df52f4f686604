// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.lab;

import io.sfumato.testkit.ModuleTiers;

/** Of the module lab. */
class LabTiersTest extends ModuleTiers {}
