// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Panels of lines and steps, laid out like the papers' figures. */
public final class Plots {
  private static final int WIDTH = 460;
  private static final int HEIGHT = 340;
  private static final int LEGEND = 40;
  private static final int MARGIN = 20;
  private static final int SAMPLE = 24;
  private static final int GAP = 5;
  private static final String DECIMALS = "0.###";

  /** Okabe and Ito's palette, which colour-blind readers can tell apart; then Tol's wine. */
  private static final Color[] COLOURS = {
    new Color(0x000000),
    new Color(0x999999),
    new Color(0xD55E00),
    new Color(0x0072B2),
    new Color(0x009E73),
    new Color(0x56B4E9),
    new Color(0xCC79A7),
    new Color(0xE69F00),
    new Color(0x882255),
    new Color(0x6A8F00)
  };

  private final List<XYChart> panels = new ArrayList<>();
  private final Map<String, Color> colours = new LinkedHashMap<>();

  /** How an axis is spaced. */
  public enum Axis {
    LINEAR,
    LOGARITHMIC
  }

  /** Starts a panel. */
  public void panel(String title, String x, Axis xAxis, String y, Axis yAxis) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart.getStyler().setXAxisLogarithmic(xAxis == Axis.LOGARITHMIC);
    chart.getStyler().setYAxisLogarithmic(yAxis == Axis.LOGARITHMIC);
    if (xAxis == Axis.LINEAR) {
      chart.getStyler().setXAxisDecimalPattern(DECIMALS);
    }
    if (yAxis == Axis.LINEAR) {
      chart.getStyler().setYAxisDecimalPattern(DECIMALS);
    }
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotGridLinesColor(new Color(0xDDDDDD));
    panels.add(chart);
  }

  /** Adds a line to the last panel; points that are no numbers are left out. */
  public void line(String name, double[] x, double[] y) {
    XYChart chart = panels.get(panels.size() - 1);
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (int i = 0; i < x.length; i++) {
      boolean drawable =
          Double.isFinite(y[i]) && (!chart.getStyler().isYAxisLogarithmic() || y[i] > 0);
      if (drawable) {
        xs.add(x[i]);
        ys.add(y[i]);
      }
    }
    if (xs.isEmpty()) {
      return;
    }
    XYSeries series = chart.addSeries(name, xs, ys);
    Color colour = colours.computeIfAbsent(name, n -> COLOURS[colours.size() % COLOURS.length]);
    series.setLineColor(colour);
    series.setMarkerColor(colour);
    series.setMarker(xs.size() > 2 && xs.size() < 20 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
  }

  /**
   * Adds a histogram to the last panel, as an outline.
   *
   * @param low of the first bin
   * @param high of the last bin
   * @param shares of the bins, of equal width
   */
  public void histogram(String name, double low, double high, double[] shares) {
    double[] x = new double[2 * shares.length + 2];
    double[] y = new double[x.length];
    for (int i = 0; i <= shares.length; i++) {
      double edge = low + (high - low) * i / shares.length;
      x[2 * i] = edge;
      x[2 * i + 1] = edge;
      y[2 * i] = i == 0 ? 0 : shares[i - 1];
      y[2 * i + 1] = i == shares.length ? 0 : shares[i];
    }
    line(name, x, y);
    cutBelow(0);
  }

  /** Leaves out what lies below, on the last panel. */
  public void cutBelow(double y) {
    panels.get(panels.size() - 1).getStyler().setYAxisMin(y);
  }

  /** Writes all panels into one PNG. */
  public void write(Path file, int columns) throws IOException {
    int rows = (panels.size() + columns - 1) / columns;
    int width = WIDTH * columns;
    BufferedImage sheet =
        new BufferedImage(
            width,
            HEIGHT * rows + LEGEND / 2 * (1 + legendLines(width)),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = sheet.createGraphics();
    canvas.setColor(Color.WHITE);
    canvas.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
    for (int i = 0; i < panels.size(); i++) {
      canvas.drawImage(
          BitmapEncoder.getBufferedImage(panels.get(i)),
          WIDTH * (i % columns),
          HEIGHT * (i / columns),
          null);
    }
    legend(canvas, width, HEIGHT * rows + LEGEND / 2);
    canvas.dispose();
    Files.createDirectories(file.toAbsolutePath().getParent());
    ImageIO.write(sheet, BitmapFormat.PNG.name().toLowerCase(Locale.ROOT), file.toFile());
  }

  private int legendLines(int width) {
    Graphics2D canvas = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    int lines = legend(canvas, width, 0);
    canvas.dispose();
    return lines;
  }

  /**
   * One legend below all panels, so that it hides no line.
   *
   * @param y of its first line
   * @return how many lines it took
   */
  private int legend(Graphics2D canvas, int width, int y) {
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    canvas.setStroke(new BasicStroke(3));
    int x = MARGIN;
    int lines = 1;
    for (Map.Entry<String, Color> line : colours.entrySet()) {
      int length = SAMPLE + 4 * GAP + canvas.getFontMetrics().stringWidth(line.getKey());
      if (x > MARGIN && x + length > width) {
        x = MARGIN;
        lines++;
      }
      int height = y + (lines - 1) * LEGEND / 2;
      canvas.setColor(line.getValue());
      canvas.drawLine(x, height, x + SAMPLE, height);
      canvas.setColor(Color.BLACK);
      canvas.drawString(line.getKey(), x + SAMPLE + GAP, height + GAP);
      x += length;
    }
    return lines;
  }
}
