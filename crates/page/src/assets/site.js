// What all pages share: the theme without a reload, and a sign that scripts run.
const root = document.documentElement;
root.classList.add("has-script");

for (const form of document.querySelectorAll("form.theme")) {
  form.addEventListener("submit", event => {
    const to = event.submitter?.value;
    event.preventDefault();
    if (to !== "light" && to !== "dark") {
      document.cookie = "umbrail_theme=; path=/; samesite=strict; max-age=0";
      delete root.dataset.theme;
      return;
    }
    document.cookie = `umbrail_theme=${to}; path=/; samesite=strict; max-age=31536000`;
    root.dataset.theme = to;
  });
}

// A run may be the work of days.
for (const form of document.querySelectorAll("form[action$='/remove']")) {
  form.addEventListener("submit", event => { if (!confirm("Remove this run with all its files?")) event.preventDefault(); });
}
