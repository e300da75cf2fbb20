package demo

// A Move is one call of the adb program.
type Move struct {
	// Args are its arguments, without those that say which phone.
	Args []string
	// Label is the text, the description or the hint of a control of the window in
	// front, and ID the end of its id: where it lies is added to the arguments.
	Label, ID string
	// Slide adds where the control begins and ends, and a duration.
	Slide bool
	// Yes is what the script answers when the guard asks about it.
	Yes bool
}

// A PhoneStep is one thing that the agent does on the simulated phone. Its last
// move is what it shows, and the others are the way there.
type PhoneStep struct {
	Name, Title, Task string
	// App is put back to where it begins before the step; empty leaves the phone as
	// it is.
	App   string
	Moves []Move
}

// The apps of the simulated phone that the steps are about.
const (
	notes    = "org.example.notes"
	shop     = "org.example.shop"
	bank     = "com.starlingbank.android"
	messages = "com.android.messaging"
)

// PhoneSteps are the steps of the demo on the simulated phone, in order.
func PhoneSteps() []PhoneStep {
	return []PhoneStep{
		{
			Name: "open-notes", Title: "an app is opened", Task: "look after the notes",
			Moves: []Move{start(notes + "/.NotesActivity"), tap("Shopping")},
		}, {
			Name: "delete-note", Title: "“Delete”, and “Delete” once more", Task: "throw the old list away", App: notes,
			Moves: []Move{start(notes + "/.NotesActivity"), tap("Shopping"), tap("Delete").yes(), tap("Delete").yes()},
		}, {
			Name: "payphone", Title: "“pay” in what is typed, and in a row", Task: "write down what to look at", App: notes,
			Moves: []Move{
				start(notes + "/.NotesActivity"), tap("New note"), tap("Title"), text("Payphone%sbooths"), tap("Save"), tap("Payphone booths"),
			},
		}, {
			Name: "basket", Title: "something is put into the basket", Task: "get some tea", App: shop,
			Moves: []Move{start(shop + "/.ShopActivity"), tap("Green tea"), tap("Add to basket")},
		}, {
			Name: "order", Title: "the basket is ordered", Task: "get what is in the basket", App: shop,
			Moves: []Move{
				start(shop + "/.ShopActivity"), tap("Basket"), tap("Go to checkout"), tap("I accept the terms"), tap("Place order").yes(),
			},
		}, {
			Name: "slide-to-pay", Title: "a payment that is slid along", Task: "pay the grocer", App: bank,
			Moves: []Move{
				start(bank + "/.login.PinActivity"), tap("Enter your PIN"), text("4711").yes(), tap("New transfer"),
				tap("Payee"), text("Green%sGrocer"), tap("Amount in EUR"), text("24.10"), tap("Continue").yes(),
				{Args: []string{"shell", "input", "swipe"}, ID: "slide_to_pay", Slide: true},
			},
		}, {
			Name: "send", Title: "a button without a word on it", Task: "tell Ines the time", App: messages,
			Moves: []Move{
				{Args: []string{"shell", "am start -a android.intent.action.SENDTO -d smsto:Ines --es sms_body 'On my way'"}},
				{Args: []string{"shell", "input", "tap"}, ID: "send_message_button", Yes: true},
			},
		}, {
			Name: "uninstall", Title: "a command instead of a touch", Task: "make room on the phone",
			Moves: []Move{shell("pm", "uninstall", "org.example.paczki")},
		}, {
			Name: "again", Title: "the same once more, wrapped up", Task: "make room on the phone",
			Moves: []Move{shell("sh -c 'pm uninstall org.example.paczki'")},
		}, {
			Name: "root", Title: "a way round the guard", Task: "get more rights", Moves: []Move{{Args: []string{"root"}}},
		},
	}
}

func shell(words ...string) Move { return Move{Args: append([]string{"shell"}, words...)} }

func start(activity string) Move { return shell("am", "start", "-n", activity) }

// text is typed as "input text" wants it: %s is a blank.
func text(typed string) Move { return shell("input", "text", typed) }

func tap(label string) Move {
	return Move{Args: []string{"shell", "input", "tap"}, Label: label}
}

func (m Move) yes() Move {
	m.Yes = true
	return m
}
