package io.sfumato.experiment;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Panels of lines over a logarithmic axis, laid out like the papers' figures. */
final class Plots {
  private static final int WIDTH = 460;
  private static final int HEIGHT = 340;

  /** Okabe and Ito's palette, which colour-blind readers can tell apart. */
  private static final Color[] COLOURS = {
    new Color(0x000000),
    new Color(0x999999),
    new Color(0xD55E00),
    new Color(0x0072B2),
    new Color(0x009E73),
    new Color(0x56B4E9),
    new Color(0xCC79A7),
    new Color(0xE69F00)
  };

  private final List<XYChart> panels = new ArrayList<>();

  /** Of the last panel. */
  private int lines;

  /** How an axis is spaced. */
  enum Axis {
    LINEAR,
    LOGARITHMIC
  }

  /** Starts a panel. */
  void panel(String title, String x, String y, Axis axis) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(axis == Axis.LOGARITHMIC);
    chart.getStyler().setLegendVisible(panels.isEmpty());
    chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
    chart.getStyler().setLegendBackgroundColor(new Color(255, 255, 255, 200));
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotGridLinesColor(new Color(0xDDDDDD));
    panels.add(chart);
    lines = 0;
  }

  /** Adds a line to the last panel; points that are no numbers are left out. */
  void line(String name, double[] x, double[] y) {
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
    Color colour = COLOURS[lines++ % COLOURS.length];
    series.setLineColor(colour);
    series.setMarkerColor(colour);
    series.setMarker(xs.size() > 2 && xs.size() < 20 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
  }

  /** Writes all panels into one PNG. */
  void write(Path file, int columns) throws ExperimentException {
    int rows = (panels.size() + columns - 1) / columns;
    BufferedImage sheet =
        new BufferedImage(WIDTH * columns, HEIGHT * rows, BufferedImage.TYPE_INT_RGB);
    var canvas = sheet.createGraphics();
    canvas.setColor(Color.WHITE);
    canvas.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
    for (int i = 0; i < panels.size(); i++) {
      canvas.drawImage(
          BitmapEncoder.getBufferedImage(panels.get(i)),
          WIDTH * (i % columns),
          HEIGHT * (i / columns),
          null);
    }
    canvas.dispose();
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      javax.imageio.ImageIO.write(
          sheet, BitmapFormat.PNG.name().toLowerCase(java.util.Locale.ROOT), file.toFile());
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be written; --out names a folder");
    }
  }
}
