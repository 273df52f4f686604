// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import org.apache.avro.SystemLimitException;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * What Avro may do with foreign bytes: instantiate our own schemas' classes and no others, and make
 * room for no more items than a record of the largest size could hold, whatever length it claims.
 */
final class AvroTrust {
  static {
    // By default a few bytes may claim a quarter of the heap. Read once, when Avro first decodes.
    System.setProperty(SystemLimitException.MAX_COLLECTION_LENGTH_PROPERTY, "1000000");
    System.setProperty(
        SystemLimitException.MAX_COLLECTION_ALLOCATION_PROPERTY, Integer.toString(16 << 20));
    System.setProperty(SystemLimitException.MAX_STRING_LENGTH_PROPERTY, Integer.toString(16 << 20));
    System.setProperty(SystemLimitException.MAX_BYTES_LENGTH_PROPERTY, Integer.toString(16 << 20));
    ClassSecurityValidator.Builder builder = ClassSecurityValidator.builder();
    PublicSchemas.classes().forEach(builder::add);
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(ClassSecurityValidator.getGlobal(), builder.build()));
  }

  private AvroTrust() {}

  /** Makes sure that the classes are trusted; call before the first encoding or decoding. */
  static void establish() {
    // The static initialiser has done it.
  }
}
