// Says what Go makes of every file in a folder: its name, a tab, and its h1 or why there is none. For make.py --go.
package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func h1(path string) (string, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return "", err
	}
	defer archive.Close()
	last := map[string]*zip.File{}
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
		last[file.Name] = file
	}
	sort.Strings(names)
	whole := sha256.New()
	for _, name := range names {
		if strings.Contains(name, "\n") {
			return "", fmt.Errorf("line break in a name")
		}
		content, err := last[name].Open()
		if err != nil {
			return "", err
		}
		sum := sha256.New()
		if _, err := io.Copy(sum, content); err != nil {
			return "", err
		}
		content.Close()
		fmt.Fprintf(whole, "%x  %s\n", sum.Sum(nil), name)
	}
	return "h1:" + base64.StdEncoding.EncodeToString(whole.Sum(nil)), nil
}

func main() {
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "*"))
	for _, path := range paths {
		sum, err := h1(path)
		if err != nil {
			sum = err.Error()
		}
		fmt.Printf("%s\t%s\n", filepath.Base(path), strings.ReplaceAll(sum, "\n", " "))
	}
}
