// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Writes the sample of the shop with six questions: nine days of 60 synthetic customers. Some
 * events are there twice. The same bytes every time. With a second file it writes the true answers,
 * too.
 *
 * <p>java src/build/java/ShopRows.java topology/shop-questions-sample.csv
 * topology/shop-questions-true.csv
 */
public final class ShopRows {
  private static final Instant BEGIN = Instant.parse("2026-11-02T00:00:00Z");
  private static final int CUSTOMERS = 60;
  private static final int DAYS = 9;
  private static final String[] STEPS = {"visit", "cart", "checkout", "order"};
  private static final String[] REGIONS = {"north", "south", "east", "west", "abroad"};
  private static final String[] PRODUCTS = {"tea", "coffee", "cocoa", "cups", "pots", "spoons"};

  private ShopRows() {}

  /** What happened; only orders have a region, a product and an amount. */
  private record Event(
      int id, int customer, Instant at, String step, String region, String product, int cents) {
    Instant day() {
      return at.truncatedTo(ChronoUnit.DAYS);
    }

    String row() {
      return "e%05d,c%03d,%s,%s,%s,%s,%s"
          .formatted(id, customer, at, step, region, product, cents == 0 ? "" : amount(cents));
    }
  }

  /** The first argument is the file of the sample, the second that of the true answers. */
  public static void main(String[] arguments) throws Exception {
    List<Event> events = events(new Random(56));
    List<String> rows = new ArrayList<>();
    for (Event event : events) {
      rows.add(event.row());
      if (event.id() % 40 == 0) {
        // It was sent twice.
        rows.add(event.row());
      }
    }
    write(arguments[0], "event,customer,at,step,region,product,amount", rows);
    if (arguments.length > 1) {
      write(arguments[1], "output,day,category,value", answers(events));
    }
  }

  private static void write(String file, String head, List<String> rows) throws Exception {
    Files.writeString(
        Path.of(file), head + "\n" + String.join("\n", rows) + "\n", StandardCharsets.UTF_8);
  }

  /** In order of time. */
  private static List<Event> events(Random random) {
    TreeMap<String, Event> events = new TreeMap<>();
    for (int day = 0; day < DAYS; day++) {
      for (int customer = 1; customer <= CUSTOMERS; customer++) {
        for (int sessions = random.nextInt(3); sessions > 0; sessions--) {
          Instant begin =
              BEGIN.plus(Duration.ofDays(day)).plus(Duration.ofMinutes(random.nextInt(23 * 60)));
          int steps = 1 + Math.max(random.nextInt(4), random.nextInt(4));
          for (int step = 0; step < steps; step++) {
            Instant at = begin.plus(Duration.ofMinutes(5L * step));
            boolean order = step == STEPS.length - 1;
            Event event =
                new Event(
                    0,
                    customer,
                    at,
                    STEPS[step],
                    order ? REGIONS[Math.min(random.nextInt(6), 4)] : "",
                    order ? PRODUCTS[Math.min(random.nextInt(6), random.nextInt(6))] : "",
                    order ? 500 + random.nextInt(9_000) : 0);
            events.put("%s %05d".formatted(at, events.size()), event);
          }
        }
      }
    }
    List<Event> numbered = new ArrayList<>();
    for (Event event : events.values()) {
      numbered.add(
          new Event(
              numbered.size() + 1,
              event.customer(),
              event.at(),
              event.step(),
              event.region(),
              event.product(),
              event.cents()));
    }
    return numbered;
  }

  private static List<String> answers(List<Event> events) {
    List<String> answers = new ArrayList<>();
    for (int number = 0; number < DAYS; number++) {
      Instant day = BEGIN.plus(Duration.ofDays(number));
      List<Event> today = events.stream().filter(event -> event.day().equals(day)).toList();
      List<Event> orders = today.stream().filter(event -> event.cents() > 0).toList();
      String on = "," + day.toString().substring(0, 10) + ",";
      answers.add("active-customers" + on + "," + customers(today));
      for (String step : STEPS) {
        List<Event> there = today.stream().filter(event -> event.step().equals(step)).toList();
        answers.add("funnel-steps" + on + step + "," + customers(there));
      }
      Map<String, Integer> revenue = new TreeMap<>();
      Map<String, Integer> sold = new TreeMap<>();
      for (Event order : orders) {
        revenue.merge(
            order.region().equals("abroad") ? "elsewhere" : order.region(),
            order.cents(),
            Integer::sum);
        sold.merge(order.product().equals("spoons") ? "rest" : order.product(), 1, Integer::sum);
      }
      revenue.forEach(
          (region, cents) -> answers.add("revenue-by-region" + on + region + "," + amount(cents)));
      answers.add("order-value" + on + "0.5," + quantile(orders, 0.5));
      answers.add("order-value" + on + "0.95," + quantile(orders, 0.95));
      sold.forEach((product, times) -> answers.add("top-products" + on + product + "," + times));
      Instant since = day.minus(Duration.ofDays(6));
      long week =
          events.stream()
              .filter(event -> event.cents() > 0)
              .filter(event -> !event.day().isBefore(since) && !event.day().isAfter(day))
              .count();
      answers.add("orders-of-seven-days" + on + "," + week);
    }
    return answers;
  }

  private static int customers(List<Event> events) {
    return events.stream()
        .map(Event::customer)
        .collect(Collectors.toCollection(TreeSet::new))
        .size();
  }

  /** The smallest amount that so large a part of the orders do not exceed. */
  private static String quantile(List<Event> orders, double part) {
    List<Integer> amounts = new ArrayList<>(orders.stream().map(Event::cents).toList());
    Collections.sort(amounts);
    return amount(amounts.get((int) Math.ceil(part * amounts.size()) - 1));
  }

  private static String amount(int cents) {
    return String.format(Locale.ROOT, "%d.%02d", cents / 100, cents % 100);
  }
}
