/**
 * What a release costs and what a budget covers: Rényi curves, charges, ledgers, shares,
 * conversions. Nothing here knows of Kafka or of any mechanism.
 */
package io.sfumato.accounting;
