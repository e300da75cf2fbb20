package wire

import (
	"maps"
	"slices"
	"strings"
)

// maxBanner is the longest banner that is read, in bytes; adb's own are about
// 300.
const maxBanner = 16 << 10

// Banner is how the two ends of a transport introduce themselves.
type Banner struct {
	// State is "device", "host", "bootloader", "recovery", "sideload" ...
	State string
	// Serial is empty in practice: servers know phones by their connection.
	Serial string
	// Properties are ro.product.name, ro.product.model and ro.product.device
	// of a phone. A server shows them in `adb devices -l`.
	Properties map[string]string
	// Features are what this end can do; both use what both have.
	Features []string
}

// ParseBanner reads a banner such as
// "device::ro.product.model=Pixel;features=shell_v2,cmd". As in adb, what has
// no equals sign or two of them is passed over.
func ParseBanner(s string) (Banner, error) {
	if len(s) > maxBanner {
		return Banner{}, broken("a banner of %d bytes, at most %d are read", len(s), maxBanner)
	}
	parts := strings.SplitN(strings.TrimRight(s, "\x00"), ":", 3)
	b := Banner{State: parts[0]}
	if b.State == "" {
		return Banner{}, broken("the banner %.40q does not begin with a state", s)
	}
	if len(parts) < 3 {
		return b, nil
	}
	b.Serial = parts[1]
	for property := range strings.SplitSeq(parts[2], ";") {
		key, value, ok := strings.Cut(property, "=")
		switch {
		case !ok || key == "" || strings.Contains(value, "="):
		case key == "features":
			b.Features = splitFeatures(value)
		default:
			if b.Properties == nil {
				b.Properties = map[string]string{}
			}
			b.Properties[key] = value
		}
	}
	return b, nil
}

// String is the banner as it goes over the wire. Characters that would end a
// value become underscores, for the values come from a phone.
func (b Banner) String() string {
	var s strings.Builder
	s.WriteString(inBanner(b.State) + ":" + inBanner(b.Serial) + ":")
	for _, key := range slices.Sorted(maps.Keys(b.Properties)) {
		if key != "" && key != "features" {
			s.WriteString(inBanner(key) + "=" + inBanner(b.Properties[key]) + ";")
		}
	}
	if len(b.Features) > 0 {
		features := make([]string, len(b.Features))
		for i, f := range b.Features {
			features[i] = strings.ReplaceAll(inBanner(f), ",", "_")
		}
		s.WriteString("features=" + strings.Join(features, ","))
	}
	return s.String()
}

// Has says whether this end has a feature.
func (b Banner) Has(feature string) bool { return slices.Contains(b.Features, feature) }

func splitFeatures(s string) []string {
	var features []string
	for f := range strings.SplitSeq(s, ",") {
		if f != "" {
			features = append(features, f)
		}
	}
	return features
}

// inBanner is s without the characters that have a meaning in a banner.
func inBanner(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ':', ';', '=', 0:
			return '_'
		}
		return r
	}, s)
}
