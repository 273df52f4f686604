// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.gate.Draw;
import io.sfumato.topology.LedgerImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one run of a pipeline over a log did.
 *
 * @param outputs of each topic, in its order
 * @param draws by the text of their ids, in order
 * @param drawnTwice ids that were drawn more than once
 * @param drawnElsewhere ids whose randomness does not follow from the exact input that they show
 * @param ledgers as each stood last, of periods that are over too; none if it stopped
 * @param stopped by what, if it did not come to the end of the log
 */
record Run(
    Map<String, List<Published>> outputs,
    Map<String, Draw<?>> draws,
    List<String> drawnTwice,
    List<String> drawnElsewhere,
    List<LedgerImage.Line> ledgers,
    Optional<Stop> stopped) {

  /**
   * Why a run did not come to the end of its log.
   *
   * @param entry at which place of the log
   * @param why in the words of the exception
   */
  record Stop(int entry, String why) {
    @Override
    public String toString() {
      return "entry " + entry + ": " + why;
    }
  }

  /**
   * One record of an output topic.
   *
   * @param headers in their order, each as name and value
   */
  record Published(byte[] key, byte[] value, long timestamp, List<String> headers) {}
}
