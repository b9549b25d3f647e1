"""Tools and skills made by mrtool: drafted, tested, staged; a MasterAdmin approves."""
