/** Ledgers beyond one application: the cluster's registry, accounts, export and import. */
package io.sfumato.ledger;
