/** Files and folders that hold secrets or raw data: who may read them, and how they are written. */
package io.sfumato.files;
