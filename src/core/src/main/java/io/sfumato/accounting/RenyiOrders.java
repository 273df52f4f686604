// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Arrays;

/** The grid of Rényi orders on which every curve is kept. Version 1. */
public final class RenyiOrders {
  /** Changes whenever the grid does; stored beside every curve. */
  public static final int VERSION = 1;

  private static final double[] ORDERS = grid();

  private RenyiOrders() {}

  /** Number of orders of the grid. */
  public static int size() {
    return ORDERS.length;
  }

  /**
   * The order at a place of the grid, above 1.
   *
   * @param place from 0, below {@link #size}
   */
  public static double at(int place) {
    return ORDERS[place];
  }

  /**
   * The place of an order.
   *
   * @param order above 1
   * @return from 0
   * @throws IllegalArgumentException if the order is not on the grid
   */
  public static int placeOf(double order) {
    int place = Arrays.binarySearch(ORDERS, order);
    if (place < 0) {
      throw new IllegalArgumentException(
          "order "
              + order
              + " is not on the grid: 1.1..1.9 by 0.1, 2..10 by 0.5, 11..64 by 1,"
              + " 80, 96, 128, 192, 256, 512, 1024");
    }
    return place;
  }

  /**
   * Whether an order is one of the grid's.
   *
   * @param order any number
   */
  public static boolean contains(double order) {
    return Arrays.binarySearch(ORDERS, order) >= 0;
  }

  private static double[] grid() {
    double[] orders = new double[9 + 17 + 54 + 7];
    int n = 0;
    for (int tenths = 11; tenths <= 19; tenths++) {
      orders[n++] = tenths / 10.0;
    }
    for (int halves = 4; halves <= 20; halves++) {
      orders[n++] = halves / 2.0;
    }
    for (int order = 11; order <= 64; order++) {
      orders[n++] = order;
    }
    for (int order : new int[] {80, 96, 128, 192, 256, 512, 1024}) {
      orders[n++] = order;
    }
    return orders;
  }
}
