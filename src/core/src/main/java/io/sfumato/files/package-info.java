/** Files and folders with secrets or raw data: their permissions, and how they are written. */
package io.sfumato.files;
