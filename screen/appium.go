package screen

// ReadAppium reads the page source of Appium's UiAutomator2 driver: XML whose
// elements are named by their class (<android.widget.Button ...>). It accepts
// what [ReadUIAutomator] accepts, and in a hierarchy every element is a node.
//
// Appium stops at a fixed depth without saying so. Where a tree reaches down to
// it, DepthLimit tells where a leaf may have lost its children.
func ReadAppium[T ~string | ~[]byte](source T, limits Limits) (*Screen, error) {
	return read(string(source), limits, func(src string, limits Limits) (*Screen, error) {
		return readXML(src, limits, appium)
	})
}

// appiumDepth is the Depth of the deepest node in a page source as Appium is
// configured out of the box: its snapshotMaxDepth of 70 counts the hierarchy.
const appiumDepth = 69

// noteDepthLimit sets DepthLimit when the tree goes down exactly to Appium's
// limit. A tree that goes deeper was taken with another one.
func noteDepthLimit(s *Screen) {
	deepest := int32(0)
	for i := range s.Nodes {
		deepest = max(deepest, s.Nodes[i].Depth)
	}
	if deepest == appiumDepth {
		s.DepthLimit = appiumDepth
	}
}
