// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.mechanism.PeriodBounds;
import io.sfumato.mechanism.additive.GridSensitivity;

/** What of a user counts in windows that draw rows, and what one charge pays for. */
public sealed interface RowCharge {
  /** How far a user moves one window's own numbers, over all subjects. */
  GridSensitivity window();

  /**
   * The part of one charge in what rows are moved by.
   *
   * @param charges of a user that the share covers
   */
  GridSensitivity rows(Coefficients coefficients, long charges);

  /**
   * The same where rows are windows' own numbers, in steps of these.
   *
   * @param charges of a user that the share covers
   */
  GridSensitivity own(long charges);

  /**
   * In how many windows a user's records may lie, as far as coefficients are chosen by it.
   *
   * @param charges of a user that the share covers
   */
  long windows(long charges);

  /**
   * One of a user's windows.
   *
   * @param window how far it moves its own numbers, over all subjects
   */
  record OfWindow(GridSensitivity window) implements RowCharge {
    @Override
    public GridSensitivity rows(Coefficients coefficients, long charges) {
      return RowSensitivity.perWindow(window, coefficients, charges);
    }

    @Override
    public GridSensitivity own(long charges) {
      return RowSensitivity.ofOwn(window, charges);
    }

    @Override
    public long windows(long charges) {
      return charges;
    }
  }

  /**
   * One of a user's records, which are bounded in a window and in a period.
   *
   * @param window how far the C records of a window move its own numbers, over all subjects
   * @param bounds C and P; the share covers P records
   */
  record OfRecord(GridSensitivity window, PeriodBounds bounds) implements RowCharge {
    @Override
    public GridSensitivity rows(Coefficients coefficients, long charges) {
      return RowSensitivity.perRecord(window, coefficients, bounds);
    }

    @Override
    public GridSensitivity own(long charges) {
      return RowSensitivity.ofOwn(window, bounds);
    }

    /** Neighbouring ones, full of records, are the worst. */
    @Override
    public long windows(long charges) {
      return bounds.full() + Integer.signum(bounds.rest());
    }
  }
}
