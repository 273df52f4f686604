// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.OwnTopics;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.text.ControlCharEscaper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What must be known of one budget before anything starts: whether its ledger is sealed, as which
 * budget it goes on, the file that it was started with, and the share that it was granted of an
 * account. It stands in a topic of the budget's own, under its name, and every entry is signed with
 * a key that comes from the noise secret: no other tenant may write there, and one who could would
 * say nothing. What stands first holds. Public facts alone.
 */
public final class Registry {
  static final String SEALED = "sealed";
  static final String CONTINUED = "continued";
  static final String STARTED = "started";
  static final String GRANTED = "granted";

  /** Says that the budget has begun, and with which state. */
  static final String BEGUN = "begun";

  /** Says of a records' topic that the budget releases about it. */
  static final String RECORDS = "records";

  /** Says that the budget must import another one's ledger before it runs. */
  static final String AWAITED = "awaited";

  /** Says until when everything counts as spent, for a budget that began without the ledger. */
  static final String SPENT_UNTIL = "spent-until";

  /** Says that a key signs the budget's entries from here on. */
  static final String ADOPTED = "adopted";

  private final String budget;
  private final SignedLog log;
  private final String signer;

  /**
   * @param key of the budget; without one nothing can be told genuine, nor be written
   */
  public Registry(KafkaSettings settings, String budget, Optional<NoiseKey> key) {
    this(settings, budget, key, TransactionalIds.of(Pipeline.applicationIdOf(budget), "registry"));
  }

  private Registry(
      KafkaSettings settings, String budget, Optional<NoiseKey> key, String transactionalId) {
    this.budget = budget;
    this.signer = key.map(NoiseKey::tag).orElse("");
    this.log =
        new SignedLog(
            settings,
            topicOf(budget),
            transactionalId,
            key.map(of -> of.entriesOf("budget/" + budget)));
  }

  /**
   * A budget's registry as another budget writes to it: under a transactional id of the writer,
   * which has no right to the other one's. Two such writers do not keep each other from writing:
   * they read again what stands first.
   */
  static Registry writtenBy(
      String writer, KafkaSettings settings, String budget, Optional<NoiseKey> key) {
    return new Registry(
        settings, budget, key, TransactionalIds.of(Pipeline.applicationIdOf(writer), "continues"));
  }

  /** The topic of a budget's entries. */
  public static String topicOf(String budget) {
    return OwnTopics.registryOf(budget);
  }

  /** Creates the topic unless it is there. */
  public void create(Cluster cluster) throws RefusedException {
    log.create(cluster);
  }

  /** Reads the log, which must be there. */
  public RegistryContents read() throws RefusedException {
    return RegistryContents.of(log.read());
  }

  /**
   * Refuses to sign with a key that another has followed: who goes on would not hear of it.
   *
   * @throws RefusedException with the key to use
   */
  void requireNotFollowed() throws RefusedException {
    requireNotFollowed(read());
  }

  private void requireNotFollowed(RegistryContents contents) throws RefusedException {
    if (!contents.followers().isEmpty()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "budget '%s' was handed over to noise key %s, which ignores new entries signed with this one (%s): nothing was changed. Run the command with that secret"
              .formatted(
                  ControlCharEscaper.of(budget),
                  ControlCharEscaper.of(String.join(", ", contents.followers())),
                  signer));
    }
  }

  /** The same, of a log that may not be there. */
  public RegistryContents read(Cluster cluster) throws RefusedException {
    return cluster.topics().isThere(topicOf(budget)) ? read() : RegistryContents.NONE;
  }

  /** Marks a ledger as exported, for any budget: its application never starts again. */
  public void seal(String at) throws RefusedException {
    seal(at, Optional.empty());
  }

  /**
   * Marks a ledger as exported: its application never starts again.
   *
   * @param heir budget that alone may go on with it, if it is exported for one
   * @throws RefusedException if another key has followed this one
   */
  public void seal(String at, Optional<String> heir) throws RefusedException {
    log.appendExclusively(
        () -> {
          RegistryContents contents = read();
          requireNotFollowed(contents);
          List<SignedLog.Draft> drafts = new ArrayList<>();
          if (contents.mine().sealed().isEmpty()) {
            drafts.add(sealed(at));
          }
          if (contents.unverified().continued().isEmpty()) {
            heir.ifPresent(to -> drafts.add(continued(to, "")));
          }
          return drafts;
        });
  }

  /**
   * Says that this budget must import another one's ledger before it runs, unless this key has said
   * it.
   *
   * @param share of an account that it goes on with
   */
  void await(String from, InheritedShare share) throws RefusedException {
    log.appendExclusively(
        () -> read().mine().awaited().isPresent() ? List.of() : List.of(awaited(from, share)));
  }

  /** Says where a sealed ledger goes on, unless it is said already. */
  void goOn(String to, String digest) throws RefusedException {
    log.appendExclusively(
        () -> {
          boolean said = read().unverified().continued().isPresent();
          return said ? List.of() : List.of(continued(to, digest));
        });
  }

  /** Remembers what the budget is started with, unless somebody was faster. */
  void enter(Started start, Optional<Started> before) throws RefusedException {
    log.appendExclusively(
        () -> {
          boolean same = read().unverified().started().equals(before);
          return same ? List.of(new SignedLog.Draft(STARTED, start.json())) : List.of();
        });
  }

  /** Remembers what the budget was granted of its account: it stays, whoever claims what later. */
  void grant(AccountClaim claim) throws RefusedException {
    log.appendExclusively(
        () ->
            read().mine().granted().map(before -> before.covers(claim)).orElse(false)
                ? List.of()
                : List.of(new SignedLog.Draft(GRANTED, claim.json())));
  }

  /** Remembers that the budget has begun, and with which state, unless all of it is known. */
  void begin(Begun state) throws RefusedException {
    log.appendExclusively(
        () ->
            read().mine().begun().covers(state)
                ? List.of()
                : List.of(new SignedLog.Draft(BEGUN, state.json())));
  }

  /** Remembers which topics the budget releases about, unless that is said of these very topics. */
  void about(List<RecordsTopic> topics) throws RefusedException {
    if (unsaid(topics).isEmpty()) {
      return;
    }
    log.appendExclusively(() -> unsaid(topics).stream().map(Registry::records).toList());
  }

  private List<RecordsTopic> unsaid(List<RecordsTopic> topics) throws RefusedException {
    List<String> said = about(true).stream().map(RecordsTopic::id).toList();
    return topics.stream().filter(topic -> !said.contains(topic.id())).toList();
  }

  /** Says it in any case, with the time. */
  void announce(List<RecordsTopic> topics) throws RefusedException {
    log.appendExclusively(() -> topics.stream().map(Registry::records).toList());
  }

  /** The topics that the budget releases about, as this key or, for others, anybody signed it. */
  List<RecordsTopic> about(boolean mineAlone) throws RefusedException {
    return RecordsTopic.all(log.read(), mineAlone);
  }

  /**
   * Says that the budget goes on with a restored state.
   *
   * @param state ids of the topics that hold it now
   * @param restored what the operator accepted, and how far the state is
   */
  void goOnWith(Begun state, List<SignedLog.Draft> restored) throws RefusedException {
    log.appendExclusively(
        () -> {
          List<SignedLog.Draft> drafts = new ArrayList<>();
          drafts.add(new SignedLog.Draft(BEGUN, state.json()));
          drafts.addAll(restored);
          return drafts;
        });
  }

  /** Remembers what counts as spent since a ledger was lost, unless this is what was said last. */
  void spent(ObjectNode until) throws RefusedException {
    log.appendExclusively(
        () -> {
          boolean said =
              log.read().stream()
                  .filter(entry -> entry.isMine() && entry.key().equals(SPENT_UNTIL))
                  .anyMatch(entry -> entry.value().equals(until));
          return said ? List.of() : List.of(new SignedLog.Draft(SPENT_UNTIL, until));
        });
  }

  /** Says that this key signs the budget's entries, once. */
  void open() throws RefusedException {
    log.appendExclusively(() -> read().mine().adopted() ? List.of() : drafts(RegistryEntries.NONE));
  }

  /**
   * Signs with this budget's key what another key of it signed, unless it has taken over already
   * and hears of nothing new. Nobody signs anything in between.
   *
   * @param former with the other key
   */
  void takeOver(Registry former) throws RefusedException {
    log.appendExclusively(
        () -> {
          RegistryEntries theirs = former.read().mine();
          RegistryContents own = read();
          boolean news = theirs.sealed().isPresent() && own.mine().sealed().isEmpty();
          if (own.isCurrent() && !news) {
            return List.of();
          }
          List<SignedLog.Draft> drafts = drafts(theirs);
          former.about(true).forEach(topic -> drafts.add(records(topic)));
          return drafts;
        });
  }

  /** Says that this key is the one that the budget goes on with, though another came after it. */
  void bind() throws RefusedException {
    log.appendExclusively(() -> read().isCurrent() ? List.of() : drafts(RegistryEntries.NONE));
  }

  private List<SignedLog.Draft> drafts(RegistryEntries entries) {
    List<SignedLog.Draft> drafts = new ArrayList<>();
    entries.sealed().ifPresent(at -> drafts.add(sealed(at)));
    entries.continued().ifPresent(by -> drafts.add(continued(by, "")));
    entries.started().ifPresent(start -> drafts.add(new SignedLog.Draft(STARTED, start.json())));
    entries.granted().ifPresent(claim -> drafts.add(new SignedLog.Draft(GRANTED, claim.json())));
    if (!entries.begun().equals(Begun.NOT)) {
      drafts.add(new SignedLog.Draft(BEGUN, entries.begun().json()));
    }
    entries.awaited().ifPresent(from -> drafts.add(awaited(from, entries.inherited())));
    drafts.add(new SignedLog.Draft(ADOPTED, object().put("key", signer)));
    return drafts;
  }

  static SignedLog.Draft sealed(String at) {
    return new SignedLog.Draft(SEALED, object().put("at", at));
  }

  static SignedLog.Draft continued(String to, String digest) {
    return new SignedLog.Draft(CONTINUED, object().put("by", to).put("digest", digest));
  }

  private static SignedLog.Draft records(RecordsTopic topic) {
    return new SignedLog.Draft(RECORDS, topic.json());
  }

  private static SignedLog.Draft awaited(String from, InheritedShare share) {
    ObjectNode value =
        object().put("from", from).put("account", share.account()).put("share", share.mark());
    return new SignedLog.Draft(AWAITED, value);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
