// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.roster;

import java.util.List;

/** Who is released every window, records or none: public. */
public interface Roster {
  /** Whether a subject is released in a window. */
  boolean covers(String subject, long windowStart);

  /** Whether a subject has windows, of any time, in which it is released. */
  boolean contains(String subject);

  /** The next members after a subject, in order. */
  List<Member> after(String subject, int most);

  /** Forgets a member whose last window lies before a given one; it can join again. */
  void forgetBefore(Member member, long windowStart);

  /** One member. */
  interface Member {
    /** Who it is. */
    String subject();

    /** Whether the subject is released in a window. */
    boolean covers(long windowStart);
  }
}
