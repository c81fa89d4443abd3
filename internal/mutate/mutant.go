package main

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// targets are the files that are mutated, as patterns from the module's root.
var targets = []string{"advance.go", "requests.go", "internal/record/*.go", "internal/bitmap/*.go", "scheme*/*.go"}

// A mutant is a file with one fault in it.
type mutant struct {
	file       string // with slashes, from the module's root
	line       int
	source     []byte
	start, end int    // in the source: what is left out
	text       string // what is put there instead
}

// find makes all the mutants of the files below root.
func find(root string) ([]mutant, error) {
	var all []mutant
	for _, pattern := range targets {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			file, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			file = filepath.ToSlash(file)
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			mutants, err := mutate(file, source)
			if err != nil {
				return nil, err
			}
			all = append(all, mutants...)
		}
	}
	return all, nil
}

// mutate makes the mutants of a file, in the order of the text.
func mutate(file string, source []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []mutant
	change := func(from, to token.Pos, text string) {
		all = append(all, mutant{
			file: file, line: fset.Position(from).Line, source: source,
			start: fset.Position(from).Offset, end: fset.Position(to).Offset, text: text,
		})
	}
	swap := func(at token.Pos, op token.Token, by map[token.Token][]token.Token) {
		for _, other := range by[op] {
			change(at, at+token.Pos(len(op.String())), other.String())
		}
	}
	beside := make(map[ast.Expr]bool) // zeros beside an error or a false
	negate := func(condition ast.Expr) {
		if binary, ok := condition.(*ast.BinaryExpr); ok && len(opposites[binary.Op]) > 0 && binary.Op != token.LAND && binary.Op != token.LOR {
			return // its operator is exchanged
		}
		if condition != nil {
			from, to := fset.Position(condition.Pos()).Offset, fset.Position(condition.End()).Offset
			change(condition.Pos(), condition.End(), "!("+string(source[from:to])+")")
		}
	}
	drop := func(list []ast.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
				change(s.Pos(), s.End(), "")
			case *ast.AssignStmt:
				if s.Tok != token.DEFINE {
					change(s.Pos(), s.End(), "")
				}
			case *ast.ReturnStmt:
				if len(s.Results) == 0 {
					change(s.Pos(), s.End(), "")
				}
			case *ast.IfStmt:
				if s.Else == nil {
					change(s.Pos(), s.End(), "")
				}
			}
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.ArrayType:
			return false
		case *ast.BinaryExpr:
			swap(n.OpPos, n.Op, opposites)
			if n.Op == token.LAND || n.Op == token.LOR {
				change(n.Pos(), n.Y.Pos(), "")
				change(n.X.End(), n.End(), "")
			}
		case *ast.AssignStmt:
			swap(n.TokPos, n.Tok, opposites)
		case *ast.IncDecStmt:
			swap(n.TokPos, n.Tok, opposites)
		case *ast.ReturnStmt:
			for _, result := range n.Results[:max(len(n.Results)-1, 0)] {
				if lit, ok := result.(*ast.BasicLit); ok && lit.Value == "0" {
					beside[result] = true
				}
			}
		case *ast.BasicLit:
			if beside[n] {
				break
			}
			if i, err := strconv.ParseUint(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				change(n.Pos(), n.End(), fmt.Sprint(i+1))
				if i > 0 {
					change(n.Pos(), n.End(), fmt.Sprint(i-1))
				}
			}
		case *ast.Ident:
			if other, ok := words[n.Name]; ok {
				change(n.Pos(), n.End(), other)
			}
		case *ast.IfStmt:
			negate(n.Cond)
		case *ast.ForStmt:
			negate(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, clause := range n.Body.List {
					for _, condition := range clause.(*ast.CaseClause).List {
						negate(condition)
					}
				}
			}
		case *ast.BlockStmt:
			drop(n.List)
		case *ast.CaseClause:
			drop(n.Body)
		}
		return true
	})
	slices.SortStableFunc(all, compare)
	return all, nil
}

// opposites are the operators that may stand in the place of one.
var opposites = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.QUO},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.OR}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_NOT_ASSIGN: {token.AND_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// words are the names that may stand in the place of one.
var words = map[string]string{"true": "false", "false": "true", "min": "max", "max": "min"}

func compare(a, b mutant) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.text, b.text))
}

// mutated is the file with its fault.
func (m mutant) mutated() []byte {
	return slices.Concat(m.source[:m.start], []byte(m.text), m.source[m.end:])
}

// lines are the lines that the fault touches, before and after.
func (m mutant) lines() (old, mutated string) {
	from := strings.LastIndexByte(string(m.source[:m.start]), '\n') + 1
	to := len(m.source)
	if i := strings.IndexByte(string(m.source[m.end:]), '\n'); i >= 0 {
		to = m.end + i
	}
	return string(m.source[from:to]), string(m.source[from:m.start]) + m.text + string(m.source[m.end:to])
}

// diff is what the fault changes.
func (m mutant) diff() string {
	old, mutated := m.lines()
	text := "-" + strings.ReplaceAll(old, "\n", "\n-") + "\n"
	if strings.TrimSpace(mutated) != "" {
		text += "+" + strings.ReplaceAll(mutated, "\n", "\n+") + "\n"
	}
	return text
}

// change names the mutant, whatever line it is in: its file, what stands there and
// what is put in its place, each in one line and without comments.
func (m mutant) change() string {
	old, mutated := m.lines()
	return m.file + ": " + oneLine(old) + " => " + oneLine(mutated)
}

func oneLine(code string) string {
	var words []string
	for line := range strings.Lines(code) {
		line, _, _ = strings.Cut(line, "//")
		words = append(words, strings.Fields(line)...)
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " ")
}

// key names the mutant of this very version of the file.
func (m mutant) key() string {
	return fmt.Sprintf("%x %s", sha256.Sum256(m.mutated()), m)
}

func (m mutant) String() string {
	_, change, _ := strings.Cut(m.change(), ": ")
	return fmt.Sprintf("%s:%d: %s", m.file, m.line, change)
}

//go:embed equivalent.txt
var equivalentText string

// equivalents are the changes that make no difference, each with its line in
// equivalent.txt.
func equivalents() (map[string]int, error) {
	known := make(map[string]int)
	n := 0
	for line := range strings.Lines(equivalentText) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		change, reason, ok := strings.Cut(line, " // ")
		if !ok || reason == "" || !strings.Contains(change, " => ") {
			return nil, fmt.Errorf("equivalent.txt:%d: want file: old => new // reason", n)
		}
		known[strings.TrimSpace(change)] = n
	}
	return known, nil
}
