"""The tasks on the sites: what is asked for, and what the server must have got afterwards."""

from dataclasses import dataclass

EXTRACT = "read: "
"""An instruction that begins so is one for browser_extract."""


@dataclass(frozen=True)
class Case:
    """A site with its task."""

    site: str
    goals: tuple[str, ...]
    """Instructions as a person or the main model gives them, for a cheap model with judgement."""
    got: tuple[str, ...] = ()
    """What the server must have got, in this order and nothing else."""
    words: tuple[str, ...] = ()
    """The same in words of one step each, for a stand-in without judgement; empty: the goals."""
    reads: tuple[str, ...] = ()
    """What the last result must say."""

    @property
    def plain(self) -> tuple[str, ...]:
        return self.words or self.goals


CASES = (
    Case(
        "cookie-wall",
        ("show today's menu; allow only the cookies that are needed",),
        ("saw choice=necessary", "saw menu"),
        ("click Only what is necessary, then click Show today's menu",),
    ),
    Case(
        "frame-same-origin",
        ("subscribe ann@example.com to the letter",),
        ("did email=ann%40example.com",),
        ('type "ann@example.com" into Your e-mail, then click Get the letter',),
    ),
    Case(
        "frame-other-origin",
        ("pay as card holder Ann Bell",),
        ("did holder=Ann Bell",),
        ('type "Ann Bell" into Card holder, then click Continue',),
    ),
    Case(
        "shadow-open",
        ("rate the owl with 4 stars",),
        ("did stars=4",),
        ("click 4 stars, then click Rate it",),
    ),
    Case(
        "shadow-closed",
        ('set the nickname to "Owlet"',),
        ("did nick=Owlet",),
        ('type "Owlet" into Nickname, then click Keep',),
    ),
    Case("infinite-list", ("open Report 143",), ("open 143",)),
    Case("virtual-list", ("choose Person 312",), ("saw person=312",)),
    Case(
        "date-picker",
        ("book the room with arrival on 14 March 2027",),
        ("did arrival=2027-03-14",),
        ("click Arrival, then click Later until March 2027, then click 14, then click Book",),
    ),
    Case(
        "date-native",
        ("ask for 14 March 2027 off, from 09:30",),
        ("did first=2027-03-14&from=09%3A30",),
        ('type "2027-03-14" into First day, then type "09:30" into From, then click Ask',),
    ),
    Case(
        "select-custom",
        ("choose size Large and put the T-shirt into the basket",),
        ("did size=Large",),
        ('select "Large" in Size, then click Put into the basket',),
    ),
    Case(
        "select-native",
        ("show trains from Bonn to Bremen",),
        ("saw from=Bonn&to=HB",),
        ('select "Bonn" in From, then select "Bremen" in To, then click Show trains',),
    ),
    Case(
        "upload",
        ("hand in /documents/receipts.csv as the receipts",),
        ("did receipts.csv: day,eur",),
        ('upload "/documents/receipts.csv" in Receipts, then click Hand in',),
    ),
    Case(
        "upload-hidden",
        ("share my file /documents/receipts.csv",),
        ("did receipts.csv: day,eur",),
        ('upload "/documents/receipts.csv" in Drop files here or browse',),
    ),
    Case(
        "download",
        ("download the bill of October",),
        ("bill.csv october",),
        ("click the Download link of October",),
        reads=("kept as /documents/incoming/",),
    ),
    Case(
        "popup",
        ("choose the Green room", "reserve it"),
        ("did room=Green room",),
        ("click Choose a room, then click Green room", "click Reserve it"),
    ),
    Case(
        "new-tab",
        ("open the rules of the house", f"{EXTRACT}the quiet hours"),
        reads=("22:15",),
    ),
    Case(
        "confirm",
        ("delete old.txt", "yes, delete it for ever"),
        ("did deleted old.txt",),
        ("click Delete of old.txt", "accept the dialog"),
    ),
    Case(
        "prompt",
        ("rename the board", 'enter "Owls" in the dialog and confirm it'),
        ("did name=Owls",),
        ("click Rename", 'accept the dialog with "Owls"'),
    ),
    Case(
        "alert",
        ("ask how many owls are in stock",),
        ("saw asked",),
        ("click Owls in stock?",),
        reads=("17 left",),
    ),
    Case(
        "single-page-app",
        ("switch the weekly summary on in the settings of notifications",),
        ("did weekly=on",),
        ("click Settings, then click Notifications, then check Weekly summary",),
    ),
    Case("slow-timer", ("show the forecast",), ("saw forecast",), ("click Forecast",)),
    Case("slow-server", (f"{EXTRACT}the revenue",), reads=("412",)),
    Case(
        "modal",
        ("invite Cid",),
        ("did invited Cid",),
        ('click Invite, then type "Cid" into Name of Invite a person, then click Done',),
    ),
    Case(
        "hover-menu",
        ("open the page of the garage in the departments",),
        ("saw garage",),
        ("hover Departments, then click Garage",),
    ),
    Case(
        "drag-and-drop",
        ("move “Write the report” to Finished",),
        ("saw Write-the-report=Finished",),
        ("drag Write the report onto Finished",),
    ),
    Case(
        "pointer-drag",
        ("drag Gamma before Alpha, to the top of the songs",),
        ("saw order=Gamma,Alpha,Beta",),
        ("drag Gamma onto Alpha",),
    ),
    Case(
        "slider",
        ("set the lamp to brightness 80 and warmth 7",),
        ("did 80 7",),
        ('type "80" into Brightness, then type "7" into Warmth, then click Set the lamp',),
    ),
    Case(
        "rich-text",
        ('write "It rained." into the diary and keep it',),
        ("did It rained.",),
        ('type "It rained." into What happened?, then click Keep',),
    ),
    Case(
        "rich-text-frame",
        ('write "Dear Ben" into the letter and send it',),
        ("did Dear Ben",),
        ('type "Dear Ben" into Text of the letter, then click Send letter',),
    ),
    Case(
        "table",
        ("sort by sum, the largest first, and open the invoice of 60 EUR",),
        ("open 19",),
        ("click Sum, then click Later until 60 EUR, then click the Invoice of 60 EUR",),
    ),
    Case(
        "wizard",
        ("register Ann Bell with postcode 10115 and the vegetarian lunch",),
        ("did Ann Bell, 10115, veg",),
        (
            'type "Ann Bell" into Name, then click Next, then type "10115" into Postcode, then '
            "click Next, then check Vegetarian, then click Finish",
        ),
    ),
    Case(
        "login",
        ("log in as ann with the password hunter22", f"{EXTRACT}the balance"),
        ("did user=ann&password=hunter22",),
        (
            'type "ann" into User, then type "hunter22" into Password, then click Sign in',
            f"{EXTRACT}the balance",
        ),
        ("1,284",),
    ),
    Case(
        "autocomplete",
        ("choose Frankfurt (Oder) as the city and continue",),
        ("did city=FFO",),
        ('type "Frankfurt" into City, then click Frankfurt (Oder), then click Continue',),
    ),
    Case(
        "checkbox-label",
        ("accept the terms and the offers and go on",),
        ("did terms=on&ads=on",),
        ("check I have read the terms, then check Send me offers, then click Go on",),
    ),
    Case("canvas", ("start the pump",), ("did pump=on",), ("click Start the pump",)),
    Case(
        "disabled-until-valid",
        ('comment "Very nice owls" as Ann',),
        ("did Ann: Very nice owls",),
        (
            'type "Very nice owls" into Your comment, then type "Ann" into Name, then click the '
            "Comment button",
        ),
    ),
    Case(
        "sticky-cover",
        ("look at the details of the offer",),
        ("saw details",),
        ("click Details of the offer",),
    ),
    Case("duplicates", ("block Bob Hill",), ("did blocked bob",), ("click Block of Bob Hill",)),
    Case("icons", ("archive this mail",), ("saw archive",), ("click archive",)),
    Case(
        "icons",
        ("throw this mail into the trash",),
        ("saw trash",),
        ("click trash",),
    ),
    Case(
        "keyboard-only",
        ("choose the channel Classic on the radio",),
        ("saw channel=Classic",),
        ('press "ArrowDown" in focusable until Classic, then press "Enter" in focusable',),
    ),
    Case(
        "toast",
        ("get the code",),
        ("saw code",),
        ("click Get the code",),
        reads=("48-17",),
    ),
    Case("lazy-images", (f"{EXTRACT}the names of all birds",), reads=("Owl", "Dunlin")),
    Case(
        "print",
        ("open the print view", f"{EXTRACT}the seat"),
        ("saw printed",),
        ("click Print view", f"{EXTRACT}the seat"),
        ("14C",),
    ),
    Case("plain-boxes", ("choose the colour Green",), ("saw colour=Green",), ("click Green",)),
    Case("hostile-words", ("show the recipe",), ("saw recipe",), ("click Show recipe",)),
    Case(
        "two-scrollers",
        ("open the Minutes of March in the talk",),
        ("open minutes",),
        ("click Minutes of March",),
    ),
)
