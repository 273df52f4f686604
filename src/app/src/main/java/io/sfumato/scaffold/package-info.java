/** The first pipeline file, which is the hardest: drafted from a look at some records. */
package io.sfumato.scaffold;
