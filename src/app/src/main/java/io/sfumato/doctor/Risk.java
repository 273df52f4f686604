// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static io.sfumato.doctor.Finding.Severity.OK;
import static io.sfumato.doctor.Finding.Severity.PROBLEM;
import static io.sfumato.doctor.Finding.Severity.WARNING;

import io.sfumato.doctor.Finding.Severity;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;

/**
 * What somebody else could do with a right.
 *
 * @param operation that is allowed
 * @param words after "may be read by [...]: "
 * @param ofEverybody how bad it is if all may
 * @param ofSome how bad it is if somebody was allowed by name: those who write records must be
 */
record Risk(AclOperation operation, String words, Severity ofEverybody, Severity ofSome) {
  private static final Map<TopicRole, List<Risk>> OF = new EnumMap<>(TopicRole.class);

  static {
    for (TopicRole role : TopicRole.values()) {
      OF.put(role, of(role));
    }
  }

  /** What may be looked at: everything that can be done with such a topic. */
  static List<Risk> with(TopicRole role) {
    return OF.get(role);
  }

  /** What may be looked at of the cluster itself: rights on it reach every topic. */
  static List<Risk> withCluster() {
    return List.of(
        new Risk(
            AclOperation.ALTER,
            "this right includes granting any right to itself and setting any password",
            PROBLEM,
            PROBLEM),
        new Risk(
            AclOperation.CLUSTER_ACTION,
            "this right acts as a broker: it reads every topic and ends every transaction. List "
                + "the brokers in super.users before you revoke it",
            PROBLEM,
            PROBLEM),
        new Risk(
            AclOperation.ALTER_CONFIGS,
            "the brokers' settings decide who is trusted and how long data are kept",
            PROBLEM,
            PROBLEM),
        new Risk(
            AclOperation.CREATE,
            "a principal that creates the pipeline's topics first chooses their settings",
            WARNING,
            WARNING));
  }

  /** What may be looked at of the application's own name: a token logs in as whom it is of. */
  static List<Risk> withPrincipal() {
    return List.of(
        new Risk(
            AclOperation.CREATE_TOKENS,
            "a token created with this right can log in as it",
            PROBLEM,
            PROBLEM),
        new Risk(
            AclOperation.DESCRIBE_TOKENS,
            "a token visible with this right can log in as it",
            PROBLEM,
            PROBLEM));
  }

  /** How bad it is that a principal may. */
  Severity of(String principal) {
    return principal.equals(AccessRules.EVERYBODY) ? ofEverybody : ofSome;
  }

  /** For people. */
  String may() {
    return may(operation);
  }

  /** The same of any harm by this operation. */
  static String may(AclOperation operation) {
    return switch (operation) {
      case READ -> "may be read by";
      case WRITE -> "may be written by";
      case CREATE -> "may be created by";
      case DELETE -> "may be deleted from by";
      case DESCRIBE -> "may be described by";
      case CLUSTER_ACTION -> "may be replicated by";
      case CREATE_TOKENS, DESCRIBE_TOKENS -> "may be impersonated by";
      default -> "may be altered by";
    };
  }

  private static List<Risk> of(TopicRole role) {
    return switch (role) {
      case RECORDS ->
          topic(
              read("it holds raw data", PROBLEM, WARNING),
              write("each can write records under any name, and so spend budgets", OK),
              "records can be deleted before they are counted",
              WARNING);
      case CONTROL ->
          topic(
              read("commands name subjects", PROBLEM, WARNING),
              write(
                  "it allows everything that operators may do (forget, skip, seal): check that "
                      + "these are operators",
                  WARNING),
              "commands can be deleted before they are executed",
              WARNING);
      case CANDIDATES ->
          topic(
              read("candidates are public", OK, OK),
              write("each can ask queries, and so spend budgets", OK),
              "candidates can be deleted before they are answered",
              WARNING);
      case OUTPUT ->
          topic(
              read(
                  "a consumer without isolation.level=read_committed also reads aborted draws "
                      + "(the retry has the same bytes, but may never have been charged)",
                  WARNING,
                  WARNING),
              write("outputs can be forged", PROBLEM),
              "outputs that were charged can be deleted",
              WARNING);
      case REFUSALS ->
          topic(
              read("refusals are public", OK, OK),
              write("refusals can be forged", PROBLEM),
              "refusals can be deleted",
              WARNING);
      case RELEASED ->
          topic(
              read("how far windows are released is public", OK, OK),
              write("exports can be made to take unfinished windows for complete ones", PROBLEM),
              "exports wait until the pipeline says again which windows are released",
              WARNING);
      case DEAD_LETTERS ->
          topic(
              read("it holds data about single records, for operators only", PROBLEM, WARNING),
              write("dead letters can be forged", WARNING),
              "dead letters can be deleted",
              WARNING);
      case JOURNAL, CHANGELOG, REGISTRY, ACCOUNTS -> ofInternal(role);
    };
  }

  /** Topics that the program alone is to write. */
  private static List<Risk> ofInternal(TopicRole role) {
    return switch (role) {
      case JOURNAL ->
          topic(
              read("it holds raw data", PROBLEM, PROBLEM),
              write("records and commands can be forged, bypassing every check", PROBLEM),
              "entries can be deleted before they are processed",
              PROBLEM);
      case CHANGELOG ->
          topic(
              read("it holds raw data", PROBLEM, PROBLEM),
              write("ledgers can be forged, so that budget is spent twice", PROBLEM),
              "ledgers can be deleted, so that budget is spent twice",
              PROBLEM);
      case REGISTRY ->
          topic(
              read("entries are public", OK, OK),
              write("unsigned entries can delay a first start", PROBLEM),
              "a seal can be lost, so that budget is spent twice",
              PROBLEM);
      default ->
          topic(
              read("claims are public", OK, OK),
              write("each can claim the remaining budget of every account", OK),
              "claims can be lost, so that a share is granted twice",
              PROBLEM);
    };
  }

  private static Risk read(String words, Severity ofEverybody, Severity ofSome) {
    return new Risk(AclOperation.READ, words, ofEverybody, ofSome);
  }

  private static Risk write(String words, Severity ofSome) {
    return new Risk(AclOperation.WRITE, words, PROBLEM, ofSome);
  }

  private static List<Risk> topic(Risk read, Risk write, String altered, Severity ofSome) {
    return List.of(
        read,
        write,
        new Risk(AclOperation.DELETE, altered, PROBLEM, ofSome),
        new Risk(AclOperation.ALTER, altered, PROBLEM, ofSome),
        new Risk(AclOperation.ALTER_CONFIGS, altered, PROBLEM, ofSome),
        new Risk(
            AclOperation.CREATE,
            "a principal that creates it first chooses its settings",
            WARNING,
            OK));
  }
}
