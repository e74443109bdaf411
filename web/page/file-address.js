// Browsers refuse modules and workers to pages that were opened as files. This script runs there, and says what to do.
if (location.protocol === "file:") {
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("file-address").hidden = false;
    for (const control of document.querySelectorAll("#start button, #start input")) control.disabled = true;
  });
}
