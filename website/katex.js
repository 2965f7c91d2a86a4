// Formulas to HTML, one JSON line each way: node katex.js KATEX_FOLDER. A formula that KaTeX does not know is an error.
const katex = require(process.argv[2] + "/dist/katex.js");
require("readline").createInterface({input: process.stdin}).on("line", line => {
  const {tex, display} = JSON.parse(line);
  let answer;
  try {
    // The TeX that KaTeX leaves in its MathML would be found by a search of the page, and shown in its results.
    answer = {html: katex.renderToString(tex, {displayMode: display, throwOnError: true, strict: "error"})
      .replace(/<annotation .*?<\/annotation>/s, "")};
  } catch (error) {
    answer = {error: error.message};
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
