"""Photographs HTML pages with one running Chromium."""

import io
import tempfile

from PIL import Image
from playwright.sync_api import sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--font-render-hinting=none",
]


class Browser:
    def __init__(self, executable):
        self.profile = tempfile.TemporaryDirectory()
        self.playwright = sync_playwright().start()
        self.context = self.playwright.chromium.launch_persistent_context(
            self.profile.name, executable_path=executable, headless=True, args=FLAGS, offline=True
        )
        self.page = self.context.new_page()

    def photograph(self, html, width, height, scroll=0):
        """The page as an RGB picture. `html` is a document, or a path to one."""
        self.page.set_viewport_size({"width": width, "height": height})
        if isinstance(html, str):
            self.page.set_content(html, wait_until="load")
        else:
            self.page.goto(html.resolve().as_uri(), wait_until="load")
        if scroll:
            room = self.page.evaluate("document.documentElement.scrollHeight - innerHeight")
            self.page.evaluate(f"scrollTo(0, {int(max(0, room) * scroll)})")
        return Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")

    def close(self):
        self.context.close()
        self.playwright.stop()
        self.profile.cleanup()
