"""The words of the manual of the level probe XX-5310: its side bar, its text and its footnotes."""

SIDE_BAR = (
    "At a glance",
    (
        "Range: 4, 10 or 25 m of water",
        "Accuracy: ±0.2 % of span",
        "Supply: 10 to 30 V DC",
        "Liquid: 0 to 50 °C, not frozen",
        "Outer diameter: 27 mm",
        "Bending radius of the cable: 120 mm",
    ),
)

H, P, N, T, F = "heading", "paragraph", "item", "table", "figure"
TEXT: list[tuple[str, object]] = [
    (H, "1 Purpose of the probe"),
    (
        P,
        "The XX-5310 is a level probe for open tanks, shafts and wells. It hangs on its own cable in the "
        "water and measures the pressure of the column above its membrane. A thin tube inside the cable "
        "leads the pressure of the surrounding air to the back of the membrane, so that a change of the "
        "weather does not count as a change of the level.^1",
    ),
    (
        P,
        "Do not mistake the XX-5310 for the XX-5130. The XX-5130 is a conductivity sensor with a thread; "
        "the XX-5310 has no thread and is never screwed into a pipe. Closed vessels under pressure are "
        "outside the use of the level probe.",
    ),
    (H, "2 Variants and data"),
    (
        P,
        "Three variants are made. The number after the second dash is the span in metres of water. The "
        "signal is 4 mA with the probe in air and 20 mA at the full span, in a loop of two wires.",
    ),
    (
        T,
        (
            (
                ("Variant", "Span", "Overload", "Cable"),
                ("XX-5310-04", "4 m", "12 m", "10 m"),
                ("XX-5310-10", "10 m", "28 m", "20 m"),
                ("XX-5310-25", "25 m", "60 m", "40 m"),
            ),
            (0, 72, 116, 172),
        ),
    ),
    (
        P,
        "The overload is the greatest depth that the membrane bears without lasting harm. The yearly "
        "drift is at most 0.15 % of span. The signal reaches 90 % of a sudden change within 0.3 seconds. "
        "The housing is of stainless steel, the membrane of ceramic, and the jacket of the cable of "
        "polyurethane.",
    ),
    (H, "3 Choice of the place"),
    (
        P,
        "Hang the probe where the water is calm, at least 0.6 m from an inlet, a pump or a stirrer. Where "
        "that is not possible, lead it down a stilling tube DN50.^2 The membrane stays 80 mm above the "
        "floor, so that sludge does not cover it. In flowing shafts the ballast weight AC-405 keeps the "
        "cable straight.",
    ),
    (F, (92, "shaft", "Figure 1: Probe in a shaft with clamp (a), stilling tube (b) and ballast weight (c)")),
    (H, "4 Installation"),
    (
        N,
        (
            "Compare the number on the probe with the order. The label is on the cable, 0.5 m above the "
            "housing.",
            "Lower the probe by its cable. A load of more than 300 N damages the vent tube in the cable.",
            "Hold the cable in the suspension clamp AC-401 and tighten the clamp screw to 4 Nm.",
            "Lead the cable to the junction box AC-410 without a bend of less than 120 mm radius.",
            "Cut the cable only inside the junction box. The vent tube must end in dry air.",
            "Tighten the gland of the junction box to 2.5 Nm and the four cover screws to 0.8 Nm.",
        ),
    ),
    (
        P,
        "The red wire is the positive side of the loop, the blue wire the negative side, and the bare "
        "wire the shield. The shield is connected in the junction box and nowhere else. Between the box "
        "and the cabinet an ordinary cable without a vent tube is sufficient.",
    ),
    (H, "5 Desiccant"),
    (
        P,
        "The air in the vent tube has to stay dry. A desiccant cartridge AC-412 sits in the lid of the "
        "junction box. Its grains are orange when dry and turn green when they are used up. The cartridge "
        "is replaced when more than half of the grains are green, and after 9 months at the latest. With "
        "a used cartridge, drops form in the tube, and the reading wanders by up to 40 mm in a day.",
    ),
    (F, (70, "window", "Figure 2: Window of the cartridge, dry (left) and used up (right)")),
    (H, "6 Signals"),
    (
        P,
        "The probe has no display. Its loop current tells a fault from a level. The wording of Millrace "
        "for these currents is in the knowledge base.",
    ),
    (
        T,
        (
            (
                ("Current", "Meaning", "First step"),
                ("3.5 mA", "Fault of the sensor", "Restart the loop"),
                ("3.9 mA", "Zero point too low", "Check in air"),
                ("20.6 mA", "Above the span", "Check the variant"),
                ("21.2 mA", "Overload", "Lift by 1 m"),
            ),
            (0, 56, 150),
        ),
    ),
    (
        P,
        "If 3.5 mA remains after the loop was without supply for 20 seconds, the probe is exchanged. It "
        "cannot be repaired, since the housing is welded.",
    ),
    (H, "7 Check in air"),
    (
        P,
        "Twice a year, lift the probe out of the water, dry the membrane with a soft cloth and let it "
        "hang in the air for 10 minutes. The current must lie between 3.98 and 4.02 mA. A larger "
        "departure is entered as an offset in Millrace, up to 60 mm of water. Beyond 60 mm the probe is "
        "sent in.^3",
    ),
    (
        P,
        "The level probe goes to the laboratory every 18 months, where it is compared with the level "
        "check tube AC-452 at five heights. The certificate names the deviation at each height.",
    ),
    (H, "8 Cleaning and store"),
    (
        P,
        "Deposits are removed with a soft brush and the agents in the list of cleaning limits, never with "
        "a pressure washer. In store, the cap stays on the membrane and the end of the vent tube is "
        "closed with the blue plug. The plug is taken off before the probe is used; with the plug on, the "
        "reading follows the weather.",
    ),
    (H, "9 Warranty"),
    (
        P,
        "The warranty on the XX-5310 is 30 months from delivery. It does not cover a cable that was "
        "pulled, a membrane that was touched with a hard tool, and moisture in the vent tube.",
    ),
    (H, "10 Parts"),
    (
        T,
        (
            (
                ("Number", "Part", "Lot"),
                ("AC-401", "Suspension clamp", "1"),
                ("AC-405", "Ballast weight, 1.2 kg", "1"),
                ("AC-410", "Junction box with vent", "1"),
                ("AC-412", "Desiccant cartridges", "3"),
                ("AC-418", "Extension cable, 10 m", "1"),
                ("AC-452", "Level check tube, 2 m", "1"),
            ),
            (0, 56, 190),
        ),
    ),
    (
        P,
        "At most two extension cables AC-418 are joined to one probe. Each joint sits in a junction box "
        "of its own, with its own cartridge.",
    ),
]
NOTES = {
    1: (
        "1 The tube is called vent tube in this manual. It is open at the upper end of the cable.",
        "2 Number AC-407, 1 m length. Tubes are joined without glue.",
    ),
    2: ("3 Open a case of the type Return first.",),
}
