package command_test

import (
	"fmt"

	"github.com/countersign/countersign/command"
)

// Every part of a line is judged; the worst decides.
func ExampleShell() {
	effects := command.Shell("input tap 540 2100; pm uninstall com.example.notes")
	for _, e := range effects {
		fmt.Printf("%s %s %q\n", e.Category, e.Code, e.Object)
	}
	fmt.Println("decides:", effects[command.Worst(effects)].Term)
	// Output:
	// unknown press ""
	// uninstall uninstall "com.example.notes"
	// decides: pm uninstall
}

// Text that travels encoded is shown as it will be typed.
func ExampleShell_typing() {
	e := command.Shell("am broadcast -a ADB_INPUT_B64 --es msg dHJhbnNmZXIgNTAw")[0]
	fmt.Println(e.Press.Kind, e.Press.Text)
	// Output: type transfer 500
}

func ExampleParseIntent() {
	i, err := command.ParseIntent("-a android.intent.action.CALL -d tel:+15550100")
	fmt.Println(i.Effect().Category, i.Data, err)
	// Output: call tel:+15550100 <nil>
}

func ExampleDeepLink() {
	fmt.Println(command.DeepLink("upi://pay?pa=shop@example&am=10").Category)
	fmt.Println(command.DeepLink("https://example.com").Category)
	fmt.Println(command.DeepLink("exampleapp://pay").Category)
	// Output:
	// money
	// none
	// unknown
}
