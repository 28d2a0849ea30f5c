// Says what Go makes of every file in a folder: its name, its SHA-256, its h1, and the h1 of the folder that it unpacks to, each
// behind a tab; or why there is none. For make.py --go, which puts dirhash where it is found.
package main

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/dirhash"
)

var errEmpty = errors.New("it holds nothing")

// unpack writes every entry below a folder, as a client that installs it would; a name that leads out of it is refused.
func unpack(path, folder string) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer archive.Close()
	if len(archive.File) == 0 {
		return errEmpty
	}
	for _, entry := range archive.File {
		for _, part := range strings.FieldsFunc(entry.Name, func(c rune) bool { return c == '/' || c == '\\' }) {
			if part == ".." {
				return fmt.Errorf("it leads out of its folder")
			}
		}
		place := filepath.Join(folder, entry.Name)
		if entry.FileInfo().IsDir() {
			if err := os.MkdirAll(place, 0o777); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
			return err
		}
		if err := write(entry, place); err != nil {
			return err
		}
	}
	return nil
}

func write(entry *zip.File, place string) error {
	content, err := entry.Open()
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := os.Create(place)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(file, content)
	return err
}

func said(sum string, err error) string {
	if err != nil {
		return strings.NewReplacer("\n", " ", "\t", " ").Replace(err.Error())
	}
	return sum
}

func directory(path, spare string) string {
	folder, err := os.MkdirTemp(spare, "")
	if err == nil {
		err = unpack(path, folder)
	}
	if err != nil {
		return said("", err)
	}
	return said(dirhash.HashDir(folder, "", dirhash.Hash1))
}

func main() {
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "*"))
	for _, path := range paths {
		whole, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		h1 := said(dirhash.HashZip(path, dirhash.Hash1))
		fmt.Printf("%s\t%x\t%s\t%s\n", filepath.Base(path), sha256.Sum256(whole), h1, directory(path, os.Args[2]))
	}
}
