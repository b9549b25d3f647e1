"""Tools and skills that mrtool makes: drafted, tested, validated, staged; live only by a MasterAdmin's yes."""
