// Hashes an archive in memory as the registry does, and says what it took: for `cargo bench --bench verify`.
//
// Standard library alone. The h1 is that of golang.org/x/mod/sumdb/dirhash: the SHA-256 over sorted lines of each file's own.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"runtime"
	"sort"
	"syscall"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func open(archive []byte) *zip.Reader {
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	check(err)
	return reader
}

func h1(archive []byte) string {
	files := map[string]*zip.File{}
	var names []string
	for _, file := range open(archive).File {
		names = append(names, file.Name)
		files[file.Name] = file
	}
	sort.Strings(names)
	whole := sha256.New()
	for _, name := range names {
		content, err := files[name].Open()
		check(err)
		sum := sha256.New()
		_, err = io.Copy(sum, content)
		check(err)
		check(content.Close())
		fmt.Fprintf(whole, "%x  %s\n", sum.Sum(nil), name)
	}
	return "h1:" + base64.StdEncoding.EncodeToString(whole.Sum(nil))
}

func inflate(archive []byte) {
	for _, file := range open(archive).File {
		content, err := file.Open()
		check(err)
		_, err = io.Copy(io.Discard, content)
		check(err)
		check(content.Close())
	}
}

func core() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func timed(name string, work func() string) {
	began, before := time.Now(), core()
	said := work()
	fmt.Printf("%s %f %f %s\n", name, time.Since(began).Seconds(), core()-before, said)
}

func main() {
	runtime.GOMAXPROCS(1)
	archive, err := os.ReadFile(os.Args[1])
	check(err)
	fmt.Println("version", runtime.Version())
	timed("both", func() string {
		return fmt.Sprintf("%x %s", sha256.Sum256(archive), h1(archive))
	})
	timed("inflate", func() string {
		inflate(archive)
		return "-"
	})
	timed("sha256", func() string {
		return fmt.Sprintf("%x", sha256.Sum256(archive))
	})
}
