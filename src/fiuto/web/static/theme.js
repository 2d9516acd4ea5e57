// Before the first paint, so that a chosen theme does not flash in the other one.
(() => {
  try {
    const theme = JSON.parse(localStorage.getItem("fiuto") || "{}").theme;
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch { /* settings that cannot be read are none */ }
})();
