// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Debian's Chromium without a screen. */
public final class Browser implements AutoCloseable {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  /** Where pictures of pages are left for people to look at. */
  public static final Path SCREENSHOTS =
      Path.of(System.getProperty("sfumato.screenshots", "target/screenshots"));

  private final ChromeDriver driver;

  /**
   * Starts it.
   *
   * @param profile folder for its files
   */
  public Browser(Path profile) {
    assumeTrue(
        Files.exists(CHROMIUM) && Files.exists(DRIVER),
        "no Chromium here: install Debian's packages chromium and chromium-driver");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--user-data-dir=" + profile);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build(),
            options);
    // Only a defect takes that long: on a busy machine the rules of accessibility take a minute.
    driver.manage().timeouts().scriptTimeout(TestCluster.PATIENCE);
  }

  public void open(String url) {
    driver.get(url);
  }

  /** In one step: the page may replace an element between finding it and reading it. */
  public String text(String css) {
    Object text =
        driver.executeScript(
            "const found = document.querySelector(arguments[0]); return found && found.innerText",
            css);
    if (text == null) {
      throw new NoSuchElementException("nothing on the page is " + css);
    }
    return text.toString().strip();
  }

  public List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  String source() {
    return driver.getPageSource();
  }

  public Object run(String script) {
    return driver.executeScript(script);
  }

  public void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Of the whole page. */
  public int height() {
    return ((Number) run("return document.documentElement.scrollHeight")).intValue();
  }

  public void scheme(String lightOrDark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark))));
  }

  /** Where files that a page offers are written. */
  public void downloadsTo(Path folder) {
    driver.executeCdpCommand(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", folder.toAbsolutePath().toString()));
  }

  /** On paper, in the page's own size. */
  byte[] printed() {
    Object pdf =
        driver
            .executeCdpCommand(
                "Page.printToPDF", Map.of("preferCSSPageSize", true, "printBackground", false))
            .get("data");
    return Base64.getDecoder().decode(pdf.toString());
  }

  void medium(String screenOrPrint) {
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", screenOrPrint));
  }

  public void press(CharSequence key) {
    driver.switchTo().activeElement().sendKeys(key);
  }

  public WebElement focused() {
    return driver.switchTo().activeElement();
  }

  /**
   * What the browser complained about: refused scripts, failed requests. Hints about the speed of
   * drawing are none: the rules of accessibility read canvases again and again.
   */
  public List<String> complaints() {
    return driver.manage().logs().get("browser").getAll().stream()
        .map(entry -> entry.getMessage())
        .filter(message -> !message.startsWith("rendering "))
        .toList();
  }

  /** Violations of WCAG 2 at levels A and AA. */
  @SuppressWarnings("unchecked")
  public List<String> violations() throws IOException {
    try (InputStream in = Browser.class.getResourceAsStream(AXE)) {
      driver.executeScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    return (List<String>)
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then(result => done(
              result.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | '))));
            """);
  }

  public void screenshot(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  /** Its processes end one by one, and some write to the profile that the first has left. */
  @Override
  public void close() {
    List<ProcessHandle> all =
        ProcessHandle.current().descendants().filter(Browser::isChromium).toList();
    driver.quit();
    Processes.awaitEnd(all);
  }

  private static boolean isChromium(ProcessHandle process) {
    return process.info().command().orElse("").contains("/chrom");
  }
}
