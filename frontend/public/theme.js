// Runs before the first paint, so that a chosen theme never flashes the other one. See src/settings.ts.
try {
  const theme = JSON.parse(localStorage.getItem("outplay.settings") ?? "{}").theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // no storage, or not ours: the system's theme it is
}
