// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * Densities in the plane as pictures, the denser the darker: the first alone, the others in rows.
 *
 * @param cells in each dimension; the second number runs fastest
 * @param columns of a row, at least 1
 */
record HeatMaps(int cells, int columns) {
  private static final int TITLE = 20;
  private static final int GAP = 10;
  private static final int SCALE = 2;

  void write(Path file, Map<String, double[]> densities) throws IOException {
    int side = cells * SCALE + GAP;
    int rows = 1 + (densities.size() - 1 + columns - 1) / columns;
    BufferedImage sheet =
        new BufferedImage(columns * side, rows * (side + TITLE), BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = sheet.createGraphics();
    canvas.setColor(Color.WHITE);
    canvas.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
    int place = 0;
    for (Map.Entry<String, double[]> entry : densities.entrySet()) {
      int left = place % columns * side;
      int top = place / columns * (side + TITLE);
      canvas.setColor(Color.BLACK);
      canvas.drawString(entry.getKey(), left + GAP, top + TITLE - 5);
      double most = Arrays.stream(entry.getValue()).max().orElseThrow();
      for (int i = 0; i < cells; i++) {
        for (int k = 0; k < cells; k++) {
          float shade = (float) Math.sqrt(entry.getValue()[i * cells + k] / most);
          canvas.setColor(new Color(1 - shade, 1 - 0.6f * shade, 1 - 0.3f * shade));
          int y = top + TITLE + (cells - 1 - k) * SCALE;
          canvas.fillRect(left + i * SCALE, y, SCALE, SCALE);
        }
      }
      place = place == 0 ? columns : place + 1;
    }
    canvas.dispose();
    ImageIO.write(sheet, "png", file.toFile());
  }
}
