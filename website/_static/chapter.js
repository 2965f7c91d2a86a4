// A box that scrolls sideways can be reached by keyboard, and says what it is; one that does not is no stop on the way.
const boxes = {"pre": "Code or output", "div.math": "Formula", ".table-wrapper": "Table"};
const mark = () => Object.entries(boxes).forEach(([which, name]) => document.querySelectorAll(which).forEach(box => {
  const scrolls = box.scrollWidth > box.clientWidth;
  for (const [key, value] of Object.entries({tabindex: "0", role: "group", "aria-label": `${name}, scrolls sideways`}))
    scrolls ? box.setAttribute(key, value) : box.removeAttribute(key);
}));
window.addEventListener("load", mark);
window.addEventListener("resize", mark);
document.addEventListener("toggle", mark, true);

document.addEventListener("DOMContentLoaded", () => {
  // Two side columns are told apart by name.
  document.querySelector(".sidebar-drawer").setAttribute("aria-label", "The chapter");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
  // A formula stands on a page twice, for the ear and for the eye; what a search shows of the page needs it once.
  if (typeof Search !== "undefined") {
    const text = Search.htmlToText;
    Search.htmlToText = (page, anchor) => text(page.replace(/<math\b.*?<\/math>/gs, ""), anchor);
  }
});
