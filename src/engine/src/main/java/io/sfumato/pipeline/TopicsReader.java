// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads {@code input.topic}: one topic, a list of them, or a pattern. */
final class TopicsReader {
  private static final String FIELD = InputFields.TOPIC.name();

  private TopicsReader() {}

  static InputTopics read(Fields fields) {
    if (fields.isList(FIELD)) {
      List<String> names = fields.list(InputFields.TOPIC).texts(2, InputTopics.MOST);
      names.forEach(name -> check(fields, name));
      return InputTopics.of(names.isEmpty() ? List.of("x") : names);
    }
    if (fields.isMapping(FIELD)) {
      return pattern(fields);
    }
    String name = fields.get(InputFields.TOPIC.as(FieldTypes.TOPIC));
    TopicNames.checkTopic(fields, FIELD, name);
    return InputTopics.of(List.of(name));
  }

  private static void check(Fields fields, String name) {
    if (!FieldTypes.TOPIC.pattern().matcher(name).matches()) {
      fields.problem(FIELD, "found '" + name + "'", FieldTypes.TOPIC.allowed());
    }
    TopicNames.checkTopic(fields, FIELD, name);
  }

  private static InputTopics pattern(Fields fields) {
    fields.child(FIELD);
    Fields within = fields.within(FIELD, InputFields.TOPICS);
    String regex = within.get(InputFields.PATTERN);
    within.refuseUnknown();
    try {
      Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      fields.problem(
          FIELD,
          "found '" + regex + "', " + e.getDescription(),
          InputFields.PATTERN.type().allowed());
      return InputTopics.of(List.of("x"));
    }
    return InputTopics.matching(regex);
  }
}
