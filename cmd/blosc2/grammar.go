package main

import (
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// grammar gives what the arguments are parsed into, a pointer to commands, and
// where the parser puts -q. Where the first argument is a verb the structure
// has that verb alone: to make sense of the tags of all of them takes longer
// than to compress a few megabytes.
func grammar(args []string) (g any, quiet *bool) {
	all := reflect.TypeFor[commands]()
	for i := 1; i < all.NumField() && len(args) > 0; i++ {
		if verb := all.Field(i); strings.ToLower(verb.Name) == args[0] {
			one := reflect.New(reflect.StructOf([]reflect.StructField{all.Field(0), {Name: verb.Name, Type: verb.Type, Tag: verb.Tag}}))
			return one.Interface(), one.Elem().Field(0).Addr().Interface().(*bool)
		}
	}
	c := new(commands)
	return c, &c.Quiet
}

// helpText is the text for a flag or an argument. The lists in it are filled in
// here, where they are shown, and not by the parser, which would go through
// them for each flag there is.
func helpText(v *kong.Value) string {
	lists := strings.NewReplacer("{codecs}", codecNames(), "{filters}", filterNames())
	return lists.Replace(kong.DefaultHelpValueFormatter(v))
}
