// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.serde.SchemasUnavailableException;
import io.sfumato.topology.context.OutOfDateException;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.ReadAgainException;
import io.sfumato.topology.context.SkippedUnknownException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;

/** Why a pipeline ended, in words that say what to do, and never quote a record. */
final class Failures {
  private static final String OFFSETS_LOST =
      "the records at the committed offsets, or the offsets themselves, are gone: retention "
          + "deleted unread records, the topic was re-created, or the offsets were deleted. "
          + "Continuing at other offsets would skip records or count them twice. 'sfumato offsets "
          + "FILE' shows what was lost; with --restore it sets the offsets again";

  /** What is known of a kind of failure: what it means, and what to do. */
  private record Known(
      Class<? extends Throwable> kind, ExitCode code, Function<Throwable, String> words) {
    RefusedException reason(Throwable cause) {
      return new RefusedException(code, words.apply(cause));
    }
  }

  /** The first that fits counts. */
  private static final List<Known> KNOWN =
      List.of(
          new Known(PipelineStopException.class, ExitCode.STOPPED, cause -> cause.getMessage()),
          new Known(
              SchemasUnavailableException.class,
              ExitCode.FAILED,
              cause -> cause.getMessage() + "; no data lost, no double charge: start again"),
          new Known(
              SkippedUnknownException.class,
              ExitCode.FAILED,
              cause -> cause.getMessage() + "; no data lost, no double charge: start again"),
          new Known(
              CorruptBytesException.class,
              ExitCode.STOPPED,
              cause ->
                  "state or journal cannot be read: "
                      + cause.getMessage()
                      + ". An instance of a newer version of Sfumato has written it: use the "
                      + "newer version here too. No data lost, no double charge"),
          new Known(InvalidOffsetException.class, ExitCode.STOPPED, cause -> OFFSETS_LOST),
          new Known(
              TopicAuthorizationException.class,
              ExitCode.REFUSED_CLUSTER,
              cause ->
                  "the cluster denies access to "
                      + ((TopicAuthorizationException) cause).unauthorizedTopics()
                      + "; no data lost, no double charge: grant it (docs/operate/secure.md "
                      + "lists the rights a pipeline needs) and start again"),
          new Known(
              AuthenticationException.class,
              ExitCode.REFUSED_CLUSTER,
              cause -> Logins.adviceToRestart((AuthenticationException) cause)),
          new Known(
              AuthorizationException.class,
              ExitCode.REFUSED_CLUSTER,
              cause ->
                  "the cluster denies something that the pipeline needs ("
                      + cause.getClass().getSimpleName()
                      + "); no data lost, no double charge: grant it (docs/operate/secure.md "
                      + "lists the rights) and start again"),
          new Known(
              RecordTooLargeException.class,
              ExitCode.REFUSED_CLUSTER,
              cause ->
                  "a record is larger than its topic (max.message.bytes) or the producer "
                      + "(max.request.size) allows; no data lost, no double charge: 'sfumato "
                      + "doctor FILE' names the setting. Raise it and start again"),
          new Known(
              InvalidTimestampException.class,
              ExitCode.REFUSED_CLUSTER,
              cause ->
                  "a topic that the pipeline writes to rejects the Kafka timestamp of a record "
                      + "that it has read (message.timestamp.after.max.ms, "
                      + "message.timestamp.before.max.ms); no data lost, no double charge: "
                      + "'sfumato doctor FILE' names the topic and the command that fixes it. "
                      + "Then start again"),
          new Known(
              MissingSourceTopicException.class,
              ExitCode.REFUSED_CLUSTER,
              cause ->
                  "a topic that the pipeline reads was deleted while it ran. A re-created topic "
                      + "has new records: carry the ledger over (sfumato ledger export OLD "
                      + "--stopped --for NEW, sfumato ledger import NEW)"));

  private Failures() {}

  /** Of an instance whose local state cannot be wiped, because its threads still run. */
  static RefusedException notStopped(Duration timeout) {
    return new RefusedException(
        ExitCode.FAILED,
        "the stream threads did not stop within %d seconds, so the local state could not be wiped;"
                .formatted(timeout.toSeconds())
            + " no data lost, no double charge: start again");
  }

  static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }

  /** Whether RocksDB cannot read its own files, and no other cause is known. */
  static boolean isLocalStateDamaged(Throwable thrown) {
    return StorageFault.of(thrown).equals(Optional.of(StorageFault.DAMAGED));
  }

  /**
   * Whether a thread's transaction can only be aborted: the cluster did so while the thread stood
   * still, or its producer gave up a batch that was never acknowledged. Of that, a producer tells
   * with an error that has no name.
   */
  static boolean isTransactionLost(Throwable thrown) {
    return has(
            thrown,
            InvalidTxnStateException.class,
            ProducerFencedException.class,
            InvalidProducerEpochException.class,
            TransactionAbortableException.class)
        || ClientErrors.isUnnamed(root(thrown));
  }

  /** Whether a thread asked for records that are not there. */
  static boolean isOffsetLost(Throwable thrown) {
    return has(thrown, InvalidOffsetException.class);
  }

  /** The record that arrived a second time, if that was it. */
  static Optional<ReadAgainException> readAgain(Throwable thrown) {
    return causes(thrown)
        .filter(ReadAgainException.class::isInstance)
        .map(ReadAgainException.class::cast)
        .findFirst();
  }

  /** Whether an operator has asked for this end. */
  static boolean isPlanned(Throwable thrown) {
    return causes(thrown)
        .anyMatch(cause -> cause instanceof PipelineStopException stop && stop.isPlanned());
  }

  /** Whether the cluster did not answer in time, or some of its brokers did not. */
  static boolean isTimeout(Throwable thrown) {
    return has(thrown, TimeoutException.class);
  }

  /** Whether a topic that is read is not there. */
  static boolean isTopicMissing(Throwable thrown) {
    return has(thrown, MissingSourceTopicException.class);
  }

  /** Whether this process stood still for too long to go on with its local state. */
  static boolean isOutOfDate(Throwable thrown) {
    return has(thrown, OutOfDateException.class);
  }

  /** Whether one of these kinds is among what was thrown and its causes. */
  private static boolean has(Throwable thrown, Class<?>... kinds) {
    return causes(thrown).anyMatch(cause -> Stream.of(kinds).anyMatch(k -> k.isInstance(cause)));
  }

  /** What was thrown, and its causes from the outside in. */
  private static Stream<Throwable> causes(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
  }

  static RefusedException explain(Throwable thrown, Path stateFolder) {
    return causes(thrown)
        .flatMap(cause -> known(cause).stream())
        .findFirst()
        .or(() -> StorageFault.of(thrown).map(fault -> fault.reason(stateFolder)))
        .orElseGet(() -> unknown(thrown));
  }

  private static Optional<RefusedException> known(Throwable cause) {
    return KNOWN.stream()
        .filter(known -> known.kind().isInstance(cause))
        .findFirst()
        .map(known -> known.reason(cause));
  }

  /** Where it was thrown: a message could hold values, a place in a program never does. */
  private static String place(Throwable root) {
    StackTraceElement[] trace = root.getStackTrace();
    return trace.length == 0
        ? ""
        : " at %s.%s:%d"
            .formatted(
                trace[0].getClassName().replaceAll(".*\\.", ""),
                trace[0].getMethodName(),
                trace[0].getLineNumber());
  }

  private static RefusedException unknown(Throwable thrown) {
    return new RefusedException(
        ExitCode.FAILED,
        "the pipeline failed with "
            + root(thrown).getClass().getName()
            + place(root(thrown))
            + "; no data lost, no double charge: start it again (details at log level DEBUG)");
  }
}
