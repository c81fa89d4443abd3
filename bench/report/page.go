package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/timerfacility/timer/bench"
)

const title = "Hashed and Hierarchical Timing Wheels, measured again"

const introduction = "Every claim of George Varghese and Tony Lauck, \"Hashed and Hierarchical Timing Wheels\" " +
	"(SOSP 1987; IEEE/ACM Transactions on Networking 5(6), 1997), and of the report behind its measurements " +
	"(Costello and Varghese, WUCS-95-23, 1995), beside what was measured here. " +
	"Counts decide: the same seed gives the same counts on every machine. Times belong to this machine and decide nothing. " +
	"Intervals hold at 95 % for all figures of the report together: the figures of another seed lie in them as well."

// markdown is the report as Markdown; the plots are files beside it.
func (r report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n\n%s.\n", title, introduction, r.Run, r.verdicts())
	if len(r.Findings) > 0 {
		markdownTable(&b, "##", r.summary())
		fmt.Fprint(&b, "\n## Claim by claim\n")
	}
	for _, f := range r.Findings {
		markdownFinding(&b, f)
	}
	if len(r.Supplements) > 0 {
		fmt.Fprintf(&b, "\n## %s\n", supplements)
	}
	for _, f := range r.Supplements {
		markdownFinding(&b, f)
	}
	return b.String()
}

// supplements heads what was measured beside the claims.
const supplements = "Beside the claims: the event lists of simulators"

func markdownFinding(b *strings.Builder, f bench.Finding) {
	fmt.Fprintf(b, "\n### %s: %s\n\n%s _(%s)_\n", f.ID, escape(f.Title), escape(f.Text), f.Source)
	if f.Printed != "" {
		fmt.Fprintf(b, "\nPrinted: %s. ", escape(f.Printed))
	}
	if f.Predicted != "" {
		fmt.Fprintf(b, "\nTheory: %s. ", escape(f.Predicted))
	}
	fmt.Fprintf(b, "\nVerdict: **%s**.", f.Verdict)
	if f.Why != "" {
		fmt.Fprintf(b, " %s", escape(f.Why))
	}
	b.WriteString("\n")
	if len(f.Figures) > 0 {
		markdownTable(b, "####", figureTable(f))
	}
	if len(f.Times) > 0 {
		markdownTable(b, "####", timeTable(f))
	}
	for _, t := range f.Tables {
		markdownTable(b, "####", t)
	}
	for _, p := range f.Plots {
		fmt.Fprintf(b, "\n![%s](%s.svg)\n", escape(p.Title), p.Name)
	}
	if f.Note != "" {
		fmt.Fprintf(b, "\n%s\n", escape(f.Note))
	}
}

// timeTable shows the times of a finding.
func timeTable(f bench.Finding) bench.Table {
	t := bench.Table{Columns: []string{"time, for illustration", "ns", "quartiles"}}
	for _, x := range f.Times {
		t.Rows = append(t.Rows, []string{x.Name, fmt.Sprintf("%.3g", x.Median), fmt.Sprintf("%.3g to %.3g", x.Low, x.High)})
	}
	return t
}

func markdownTable(b *strings.Builder, level string, t bench.Table) {
	b.WriteString("\n")
	if t.Title != "" {
		fmt.Fprintf(b, "%s %s\n\n", level, escape(t.Title))
	}
	line := func(cells []string) {
		for _, cell := range cells {
			fmt.Fprintf(b, "| %s ", escape(cell))
		}
		b.WriteString("|\n")
	}
	line(t.Columns)
	for range t.Columns {
		b.WriteString("|---")
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		line(row)
	}
	if t.Note != "" {
		fmt.Fprintf(b, "\n%s\n", escape(t.Note))
	}
}

// escape keeps Markdown from reading marks into a text.
func escape(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`).Replace(s)
}

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"figures": figureTable,
	"times":   timeTable,
	"class":   func(cell string) string { return classes[bench.Verdict(cell)] },
	"numeric": numeric,
	"within": func(f bench.Finding, plots map[string]template.HTML) map[string]any {
		return map[string]any{"Finding": f, "Plots": plots}
	},
}).Parse(page))

// classes are the style classes of the verdicts.
var classes = map[bench.Verdict]string{
	bench.Holds: "holds", bench.Corrected: "corrected", bench.DoesNotHold: "fails", bench.NotTestable: "untested", bench.Contradicted: "contradicted",
}

// html is the report as one page that needs nothing beside it.
func (r report) html(plots map[string]string) (string, error) {
	inline := make(map[string]template.HTML)
	for name, svg := range plots {
		inline[name] = template.HTML(svg) //nolint:gosec // drawn here
	}
	var b strings.Builder
	err := pageTemplate.Execute(&b, map[string]any{
		"Title": title, "Introduction": introduction, "Run": r.Run.String(), "Verdicts": r.verdicts(),
		"Summary": r.summary(), "Findings": r.Findings, "Plots": inline,
		"Heading": supplements, "Supplements": r.Supplements,
	})
	return b.String(), err
}
